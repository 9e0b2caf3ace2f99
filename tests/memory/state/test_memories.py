import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.changes import SCALARS, Change, Rewritten, Updated
from hebb_lab.memory.errors import MemoryNotFoundError, StoreError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state import State
from tests.memory.made import made_added
from tests.memory.state.model import NAMES, UNKNOWN, Chance


def agrees(state, model):
    """Everything that a state says, held to the dicts."""
    assert state.count == len(model.order)
    assert int(state.alive.sum()) == len(model.memories)
    rows = {part: model.row(part) for part in [*model.order, *UNKNOWN]}
    found = state.rows_of(Ids.from_bytes(list(rows)))
    assert found.tolist() == list(rows.values())
    assert state.ids_of(np.arange(state.count)).to_bytes() == model.order
    for part, memory in model.memories.items():
        row = rows[part]
        assert {name: state.column(name)[row] for name in SCALARS} == {
            name: memory[name] for name in SCALARS
        }
        number = int(state.entity[row])
        assert (None if number < 0 else state.entities[number]) == memory["entity"]
        assert state.vectors.take(np.array([row]))[0].tolist() == memory["vector"].tolist()
        assert state.has_vector[row] == memory["vector"].any()
    agrees_on_what_is_gone(state)
    for name in NAMES:
        held = sorted(rows[part] for part, m in model.memories.items() if m["entity"] == name)
        if name is None:
            assert state.rows_without_entity().tolist() == held
        else:
            assert state.rows_of_entity(state.entity_number(name)).tolist() == held
            assert (state.entity_number(name) >= 0) == bool(held)
    edges = state.edges
    seen = zip(edges.source.tolist(), edges.target.tolist(), edges.kind.tolist(),
               edges.confidence.tolist(), edges.time_us.tolist(), strict=True)  # fmt: skip
    row_of = {**dict.fromkeys([end for key in model.edges for end in key[:2]], -1), **rows}
    assert list(seen) == [
        (row_of[source], row_of[target], kind, *values)
        for (source, target, kind), values in model.edges.items()
    ]


def agrees_on_what_is_gone(state):
    gone = np.flatnonzero(~state.alive)
    assert not state.vectors.take(gone).any()
    assert not state.has_vector[gone].any()
    assert (state.entity[gone] == -1).all()
    assert not any(state.column(name)[gone].any() for name in SCALARS)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
def test_a_state_says_what_plain_dicts_say_after_any_changes(seed, ascending, look_each_time):
    chance = Chance(seed, ascending=ascending)
    state = State(3)
    for _ in range(25):
        change = chance.change()
        before = len(chance.model.order)
        chance.model.apply(change)
        rows = state.apply(change)
        assert rows.tolist() == list(range(before, len(chance.model.order)))
        if look_each_time:
            agrees(state, chance.model)
    agrees(state, chance.model)


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 2**32 - 1))
def test_the_order_of_rows_is_noticed_and_so_is_the_highest_id(seed):
    chance = Chance(seed, ascending=False)
    state = State(3)
    for _ in range(20):
        change = chance.change()
        chance.model.apply(change)
        state.apply(change)
    order = chance.model.order
    assert state.ascending == (order == sorted(set(order)))
    if order:
        assert Ids(state.highest_id[None]).to_bytes() == [max(order)]
    else:
        assert state.highest_id is None


def test_the_highest_id_may_be_told_by_a_fact_that_outlives_its_memory():
    state = State(4)
    state.apply(Change(1, added=made_added(3)))
    state.apply(Change(1, facts={"highest_id": "f" * 31 + "e"}))
    state.apply(Change(1, facts={"highest_id": "0" * 32}))
    assert state.highest_id.tolist() == [2**64 - 1, 2**64 - 2]


def test_the_clock_is_that_of_the_last_change_and_versions_grow():
    state = State(4)
    assert (state.clock_us, state.count, state.highest_id) == (-1, 0, None)
    state.apply(Change(5, added=made_added(3)))
    before = state.version, state.version_of_vectors, state.version_of_edges
    state.apply(Change(9))
    assert state.clock_us == 9
    assert state.version == before[0] + 1
    assert (state.version_of_vectors, state.version_of_edges) == before[1:]


def test_an_id_that_is_there_is_refused_before_anything_is_applied():
    state, added = State(4), made_added(3)
    state.apply(Change(1, added=added))
    with pytest.raises(StoreError, match=f"the id {added.ids[0]} is there already"):
        state.apply(Change(2, added=added))
    assert state.count == 3


def test_new_numbers_or_texts_of_what_is_not_there_are_an_error():
    state, added = State(4), made_added(3)
    for change in (
        Change(1, updated=(Updated(added.ids, {"stale": np.ones(3, np.bool_)}),)),
        Change(1, rewritten=Rewritten(added.ids, added.texts)),
    ):
        with pytest.raises(MemoryNotFoundError, match="It was forgotten or never written"):
            state.apply(change)


def test_a_column_is_asked_by_its_name_alone():
    with pytest.raises(KeyError, match="no column 'alive'; there are kind, importance"):
        State(4).column("alive")


def test_an_entity_without_memories_leaves_no_name():
    state = State(4)
    added = made_added(4, entities=["secret", "secret", "known", None])
    state.apply(Change(1, added=added))
    state.apply(Change(2, forgotten=added.ids[:2]))
    assert "secret" not in state.entities
    assert state.entity_number("secret") == -1
    more = made_added(1, seed=1, entities=["secret"], last=added.ids.array[-1])
    row = state.apply(Change(3, added=more))
    assert state.rows_of_entity(state.entity_number("secret")).tolist() == row.tolist()
    assert state.rows_of_entity(state.entity_number("unknown")).tolist() == []


def test_of_a_memory_that_is_rewritten_twice_at_once_the_last_text_counts():
    state, added = State(4), made_added(2, entities=["first", "first"])
    state.apply(Change(1, added=added))
    texts = made_added(2, seed=1, entities=["second", "third"]).texts
    state.apply(Change(2, rewritten=Rewritten(Ids(added.ids.array[[0, 0]]), texts)))
    assert state.rows_of_entity(state.entity_number("third")).tolist() == [0]
    assert state.rows_of_entity(state.entity_number("first")).tolist() == [1]
    state.apply(Change(3, forgotten=added.ids))
    assert state.entity_number("third") == -1
    assert state.entity_number("first") == -1


def test_a_million_memories_would_take_less_than_a_hundred_bytes_each_beside_their_vectors():
    state, count = State(4), 20_000
    state.apply(Change(1, added=made_added(count, entities=["one"] * count)))
    assert state.byte_count() - state.vectors.byte_count() < 150 * count
