"""Both journals keep the same: one suite for the one in memory and the one in a file."""

import json
import random

import numpy as np
import pytest

from hebb_lab.memory.changes import Change, Edges, Rewritten, Updated
from hebb_lab.memory.consistent import OWN_FACTS
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.errors import MemoryNotFoundError, StoreError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.volatile import VolatileJournal
from tests.memory.journals import CHANGES, FIRST, GONE, KEYS, NEW_TEXTS, SECOND, filled, journal
from tests.memory.made import held, made_added, made_edges, made_tombstones

both = pytest.mark.parametrize("kind", ["volatile", "durable"])


def test_both_hold_the_same_after_every_change(tmp_path):
    volatile, durable = journal("volatile", None), journal("durable", tmp_path)
    for change in CHANGES:
        volatile.commit(change)
        durable.commit(change)
        assert held(durable) == held(volatile)
        assert dict(durable.facts) == dict(volatile.facts)
        assert durable.check() == volatile.check() == []


@pytest.mark.parametrize("seed", range(6))
def test_both_hold_the_same_after_changes_by_chance(tmp_path, seed):
    rng, chance = random.Random(seed), np.random.default_rng(seed)
    volatile, durable = journal("volatile", None), journal("durable", tmp_path)
    alive, last = [], None
    for step in range(40):
        added = made_added(rng.randint(1, 9), seed=100 * seed + step, last=last)
        last = added.ids.array[-1]
        alive += added.ids.to_bytes()
        some = Ids.from_bytes(rng.sample(alive, min(len(alive), 4)))
        gone = Ids.from_bytes(rng.sample(alive, rng.choice([0, 0, 2]))[: len(alive)])
        pairs = [rng.sample(alive, 2) for _ in range(3)] if len(alive) > 1 else []
        change = Change(
            step,
            added=added,
            updated=(Updated(some, {"importance": chance.random(len(some)).astype(np.float32)}),),
            rewritten=Rewritten(some, made_added(len(some), seed=step).texts),
            edges=made_edges(pairs, kind=rng.randint(1, 5)) if pairs else Edges.none(),
            forgotten=gone,
            tombstones=made_tombstones(gone),
            facts={f"fact {step % 3}": rng.choice([None, step])},
        )
        alive = [part for part in alive if part not in set(gone.to_bytes())]
        volatile.commit(change)
        durable.commit(change)
    assert held(durable) == held(volatile)
    assert dict(durable.facts) == dict(volatile.facts)
    assert len(held(durable)["memories"]) == len(alive)
    assert durable.check() == []


@both
def test_what_it_loads_makes_the_same_journal_again(kind, tmp_path):
    one = filled(kind, tmp_path / "one")
    other = journal(kind, tmp_path / "other")
    for change in one.load():
        other.commit(change)
    assert held(other) == held(one)
    assert held(one)["in_order"]


@both
def test_an_empty_journal_loads_nothing(kind, tmp_path):
    assert list(journal(kind, tmp_path).load()) == []


@both
def test_the_clock_is_loaded_where_all_is_forgotten(kind, tmp_path):
    made = journal(kind, tmp_path)
    made.commit(Change(5, added=FIRST))
    made.commit(Change(8, forgotten=FIRST.ids))
    (change,) = made.load()
    assert change.at_us == 8
    assert change.added is None
    assert change.facts == {"highest_id": KEYS[-1].hex()}


@both
def test_texts_are_found_by_id_in_the_order_of_the_question(kind, tmp_path):
    made = filled(kind, tmp_path)
    ids = Ids(FIRST.ids.array[[20, 1, 20]])
    assert made.contents(ids) == [
        NEW_TEXTS.contents[3], FIRST.texts.contents[1], NEW_TEXTS.contents[3],
    ]  # fmt: skip
    assert made.contexts(ids)[1] == json.loads(FIRST.texts.contexts[1])
    assert made.contents(Ids.none()) == []


@both
def test_the_text_of_what_is_forgotten_is_an_error_that_names_the_id(kind, tmp_path):
    made = filled(kind, tmp_path)
    for read in (made.contents, made.contexts):
        with pytest.raises(MemoryNotFoundError, match=GONE[0]):
            read(GONE)
    with pytest.raises(KeyError):
        made.contents(GONE)


@both
def test_edges_of_the_forgotten_go_both_ways(kind, tmp_path):
    edges = held(filled(kind, tmp_path))["edges"]
    ends = {end for edge in edges for end in edge[:2]}
    assert ends.isdisjoint(GONE.to_bytes())
    assert len(edges) == 4


@both
def test_an_edge_that_is_written_again_keeps_its_place_in_the_order(kind, tmp_path):
    edges = held(filled(kind, tmp_path))["edges"]
    assert edges[0][:2] == (KEYS[5], KEYS[6])
    assert edges[0][3] == pytest.approx(0.1)


@both
def test_tombstones_come_in_the_order_of_ids_and_can_be_collected(kind, tmp_path):
    stones = filled(kind, tmp_path).tombstones()
    assert list(stones.ids) == list(GONE[1:])
    assert [len(one) for one in stones.digest] == [32, 32]


FAILS = {
    "an id that is there": Change(20, added=FIRST, facts={"x": 1}),
    "new ones beside one that is there": Change(
        20, added=made_added(3, seed=5)._replace(ids=Ids(np.vstack([SECOND.ids.array[:1],
        made_added(2, seed=6).ids.array]))),
    ),
    "numbers of a memory that is not there": Change(
        20, added=made_added(3, seed=5), edges=made_edges([(KEYS[1], KEYS[2])], kind=3),
        updated=(Updated(GONE, {"clock": np.ones(3, np.int32)}),), forgotten=FIRST.ids[1:2],
    ),
    "texts of a memory that is not there": Change(
        20, updated=(Updated(FIRST.ids[1:2], {"clock": np.ones(1, np.int32)}),),
        rewritten=Rewritten(GONE, made_added(3).texts),
    ),
    "parts that do not fit": Change(20, added=made_added(3, dimensions=7)),
}  # fmt: skip


@both
@pytest.mark.parametrize("change", FAILS.values(), ids=FAILS.keys())
def test_a_change_that_fails_keeps_nothing_of_it(kind, change, tmp_path):
    made = filled(kind, tmp_path)
    before, facts = held(made), dict(made.facts)
    with pytest.raises(StoreError):
        made.commit(change)
    assert held(made) == before
    assert dict(made.facts) == facts
    made.commit(Change(21, facts={"after": 1}))
    assert made.facts["after"] == 1


@both
def test_nobody_changes_a_journal_through_what_was_given_or_got(kind, tmp_path):
    made = journal(kind, tmp_path)
    mine, fact = made_added(3), {"list": [1]}
    made.commit(Change(1, added=mine, facts={"fact": fact}))
    before = held(made)
    mine.texts.vectors[:] = 0
    mine.scalars["importance"][:] = 0
    fact["list"].append(2)
    assert held(made) == before
    with pytest.raises(TypeError):
        made.facts["fact"] = 1


@both
def test_dangling_edges_are_a_problem_only_where_the_rules_refuse_them(kind, tmp_path):
    made = filled(kind, tmp_path)
    assert made.check() == []
    assert len(made.check(dangling_edges="refuse")) == 1


def test_a_volatile_journal_counts_bytes_and_has_nothing_to_do_at_the_end():
    made = filled("volatile", None)
    assert made.byte_count() > 50 * 16
    assert made.changed() is False
    made.compact()
    made.close()


def test_the_facts_of_its_own_are_there_from_the_beginning(tmp_path):
    volatile, durable = VolatileJournal(4), DurableJournal.open(tmp_path, 4)
    assert dict(volatile.facts) == dict(durable.facts)
    assert set(OWN_FACTS) <= set(durable.facts)
