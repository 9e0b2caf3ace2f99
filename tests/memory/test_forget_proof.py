"""What was forgotten stands in no file: content, entity, context and vector are sought in the raw
bytes of all of them. Each test first shows that the search finds them while they are there."""

import logging
from hashlib import sha256
from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import Criteria, MemoryStore
from hebb_lab.memory.values import Draft, EdgeKind, Kind, Link
from tests.memory.crash.contents import left_in

DAY_US = 86_400_000_000
DIMENSIONS = 32
SECRET = "quixotic7zebra"
LENGTHS = (1, 400, 4200)  # words: a part of a page, and two sizes that fill pages of their own


def unit(seed):
    made = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    return made / np.linalg.norm(made)


def secret(words=3, name=SECRET, entity="patient8sunflower", links=(), importance=0.5, seed=7):
    """A memory of which four things can be sought, and those four."""
    vector = unit(seed)
    draft = Draft(
        " ".join([name] * words), importance, {"diagnosis": f"{name}5context"}, entity, links,
        vector,
    )  # fmt: skip
    needles = {name.encode(), entity.encode(), f"{name}5context".encode(), vector.tobytes()[40:72]}
    return draft, needles


def plain(count, seed=0):
    """Memories that stay."""
    return [
        Draft(f"ordinary {place} " * (place % 90 + 1), 0.9, {"place": place}, f"entity {place % 3}",
              vector=unit(1000 * seed + place))
        for place in range(count)
    ]  # fmt: skip


@pytest.fixture
def opened(tmp_path):
    """Makes stores with memories that stay before and behind what a test writes."""
    stores = []

    def make(**switches):
        rules = DOCUMENTED.change(**switches)
        store = MemoryStore.open(
            tmp_path / "store", rules=rules, dimensions=DIMENSIONS, rng=np.random.default_rng(1)
        )
        store.remember(plain(30, 1), DAY_US)
        stores.append(store)
        return SimpleNamespace(store=store, folder=tmp_path / "store")

    yield make
    for store in stores:
        store.close()


def write(made, draft, needles, at_us=2 * DAY_US):
    """Remember a secret among others, and see that the search finds all of it."""
    (name,) = made.store.remember(draft, at_us)
    made.store.remember(plain(30, 2), at_us)
    assert {needle for _, needle in left_in(made.folder, needles)} == needles
    return name


def assert_nothing_left(made, needles):
    """In no file: as they are with the store open, after a close, and after it was opened again."""
    assert left_in(made.folder, needles) == []
    held = made.store.state.count
    made.store.close()
    assert left_in(made.folder, needles) == []
    with MemoryStore.open(made.folder) as again:
        assert again.check() == []
        assert 60 <= again.state.count <= held
        assert left_in(made.folder, needles) == []


@pytest.mark.parametrize("words", LENGTHS)
@pytest.mark.parametrize("vacuum", [True, False])
def test_forgotten_by_its_id(opened, words, vacuum):
    made = opened(vacuum=vacuum)
    draft, needles = secret(words)
    name = write(made, draft, needles)
    assert made.store.forget([name], 3 * DAY_US).count == 1
    assert_nothing_left(made, needles)


@pytest.mark.parametrize("words", LENGTHS)
def test_forgotten_from_the_database_after_the_wal_was_emptied(opened, words):
    made = opened(vacuum=False)
    draft, needles = secret(words)
    name = write(made, draft, needles)
    made.store.compact()
    assert {file for file, _ in left_in(made.folder, needles)} == {"memories.sqlite"}
    made.store.forget([name], 3 * DAY_US)
    assert_nothing_left(made, needles)


def test_forgotten_by_its_entity(opened):
    made = opened()
    draft, needles = secret()
    write(made, draft, needles)
    assert made.store.forget(Criteria(entity_id="patient8sunflower"), 3 * DAY_US).count == 1
    assert_nothing_left(made, needles)
    assert b"criteria: entity_id" in (made.folder / "memories.sqlite").read_bytes()


def test_forgotten_by_auto_forget(opened):
    made = opened()
    draft, needles = secret(importance=0.02)
    write(made, draft, needles)
    assert made.store.decay(120 * DAY_US).flagged == 1
    assert made.store.auto_forget(121 * DAY_US).count == 1
    assert_nothing_left(made, needles)


@pytest.mark.parametrize("revise", ["new", "in_place"])
def test_forgotten_with_the_states_that_it_superseded(opened, revise):
    made = opened(revise=revise)
    draft, needles = secret(400)
    name = write(made, draft, needles)
    name = made.store.revise(name, 3 * DAY_US, content="other", context={}, vector=unit(8))
    assert {needle for _, needle in left_in(made.folder, needles)} == needles
    gone = made.store.forget([name], 4 * DAY_US)
    assert (gone.count, gone.cascaded) == (1, 1)
    assert_nothing_left(made, needles)


def test_forgotten_with_the_insights_drawn_from_it(opened):
    made = opened(forget_insights="forget")
    draft, needles = secret()
    name = write(made, draft, needles)
    link = Link(EdgeKind.INSIGHT_FROM, name)
    insight, more = secret(3600, "insightful9walrus", "patient8sunflower", [link], seed=9)
    write(made, Draft(**{**insight.__dict__, "kind": Kind.INSIGHT}), more)
    gone = made.store.forget([name], 3 * DAY_US)
    assert (gone.count, gone.cascaded) == (1, 1)
    assert_nothing_left(made, needles | more)


def reflected_on(made):
    """A secret that the only insight about its entity quotes: (its id, needles)."""
    draft, needles = secret()
    draft = Draft(**{**draft.__dict__, "content": f"We met the {SECRET} at dusk."})
    name = write(made, draft, needles)
    for seed in range(4):
        near = unit(7) + unit(50 + seed) / 2
        near /= np.linalg.norm(near)
        said = f"Nothing else was seen that day, {seed}."
        made.store.remember(Draft(said, entity_id=draft.entity_id, vector=near), 2 * DAY_US)
    report = made.store.reflect(3 * DAY_US, entity=draft.entity_id)
    (insight,) = made.store.get(report.ids)
    assert insight.content == draft.content
    vector = made.store.state.vectors.take(made.store.state.rows_of(report.ids))[0]
    entity = draft.entity_id.encode()  # of others too
    return name, (needles - {entity}) | {vector.tobytes()[40:72]}


def test_forgotten_with_the_insight_that_quotes_it_by_the_documented_rules(opened):
    made = opened()
    name, needles = reflected_on(made)
    gone = made.store.forget([name], 4 * DAY_US)
    assert (gone.count, gone.cascaded, gone.standing) == (1, 1, 0)
    assert_nothing_left(made, needles)


@pytest.mark.parametrize(("policy", "marked"), [("mark", 1), ("keep", 0)])
def test_an_insight_that_stays_keeps_what_it_quotes_and_is_told(opened, policy, marked):
    made = opened(forget_insights=policy)
    name, _ = reflected_on(made)
    gone = made.store.forget([name], 4 * DAY_US)
    assert (gone.cascaded, gone.marked, gone.standing) == (0, marked, 1)
    assert left_in(made.folder, {SECRET.encode()}) != []


def test_an_insight_that_is_only_marked_stays_and_its_source_goes(opened):
    made = opened(forget_insights="mark")
    draft, needles = secret()
    name = write(made, draft, needles)
    link = Link(EdgeKind.INSIGHT_FROM, name)
    insight, more = secret(3, "insightful9walrus", "clinic6marigold", [link], seed=9)
    write(made, Draft(**{**insight.__dict__, "kind": Kind.INSIGHT}), more)
    assert made.store.forget([name], 3 * DAY_US).marked == 1
    assert {needle for _, needle in left_in(made.folder, more)} == more
    assert_nothing_left(made, needles)


@pytest.mark.parametrize("words", LENGTHS)
@pytest.mark.parametrize("kept", [0, 1])
def test_an_old_state_that_is_pruned_after_a_revision_in_its_place(opened, words, kept):
    made = opened(revise="in_place", revisions_kept=kept, revise_context="replace")
    draft, needles = secret(words)
    name = write(made, draft, needles)
    for number in range(kept + 1):
        made.store.revise(
            name, (3 + number) * DAY_US, content=f"other {number}", context={"a": number},
            entity_id="entity 1", vector=unit(20 + number),
        )  # fmt: skip
    assert_nothing_left(made, needles)


def test_an_old_state_that_is_pruned_after_a_new_revision(opened):
    made = opened(revisions_kept=0, revise_context="replace")
    draft, needles = secret(400)
    name = write(made, draft, needles)
    made.store.revise(
        name, 3 * DAY_US, content="other", context={"a": 1}, entity_id=None, vector=unit(20)
    )
    assert_nothing_left(made, needles)


def test_forgotten_one_after_the_other_in_any_order(opened):
    made = opened(vacuum=False)
    rng = np.random.default_rng(3)
    names, needles = [], set()
    for number in range(24):
        draft, more = secret(
            int(rng.integers(1, 1500)), f"secret{number:02d}badger", f"person{number:02d}lily",
            seed=100 + number,
        )  # fmt: skip
        names.append(write(made, draft, more))
        needles |= more
    order = rng.permutation(len(names))
    for place in order[:12]:
        made.store.forget([names[place]], 3 * DAY_US)
    for place in order[:12]:
        word = f"secret{place:02d}badger".encode()
        assert left_in(made.folder, {word}) == []
    made.store.forget([names[place] for place in order[12:]], 3 * DAY_US)
    assert_nothing_left(made, needles)


def test_a_reader_that_holds_the_wal_is_told_and_when_it_goes_nothing_is_left(opened):
    made = opened()
    draft, needles = secret(400)
    name = write(made, draft, needles)
    reader = DurableJournal.open(made.folder, mode="read")
    reading = reader.load()
    next(reading)  # a transaction of the reader stays open
    made.store.forget([name], 3 * DAY_US)
    assert made.store.journal.unfinished
    assert any("reader" in problem for problem in made.store.check())
    assert left_in(made.folder, needles) != []
    reading.close()
    reader.close()
    made.store.remember(plain(1, 3), 4 * DAY_US)  # every commit tries again
    assert made.store.journal.unfinished == ()
    assert_nothing_left(made, needles)


def test_an_idle_reader_does_not_keep_it(opened):
    made = opened()
    draft, needles = secret(400)
    name = write(made, draft, needles)
    with MemoryStore.open(made.folder, mode="read") as reader:
        assert reader.get([name])[0].entity_id == "patient8sunflower"
        made.store.forget([name], 3 * DAY_US)
        assert left_in(made.folder, needles) == []
        assert reader.refresh()
        assert reader.state.rows_of(Ids.parse([name]))[0] == -1
    assert_nothing_left(made, needles)


def test_a_close_right_after_the_reader_went_leaves_nothing(opened):
    made = opened()
    draft, needles = secret(400)
    name = write(made, draft, needles)
    reader = DurableJournal.open(made.folder, mode="read")
    reading = reader.load()
    next(reading)
    made.store.forget([name], 3 * DAY_US)
    reading.close()
    reader.close()
    made.store.close()
    assert left_in(made.folder, needles) == []


def test_what_is_left_is_a_salted_hash_that_fits_the_content_alone(opened):
    made = opened()
    draft, needles = secret()
    name = write(made, draft, needles)
    made.store.forget([name], 3 * DAY_US)
    stones = made.store.journal.tombstones()
    assert list(stones.ids) == [name]
    assert stones.digest[0] == sha256(stones.salt[0] + draft.content.encode()).digest()
    assert stones.reason == ["ids"]
    assert left_in(made.folder, {sha256(draft.content.encode()).digest()}) == []


def test_nothing_of_it_is_in_the_state(opened):
    made = opened()
    draft, needles = secret()
    name = write(made, draft, needles)
    state = made.store.state
    row = state.rows_of(Ids.parse([name]))[0]
    made.store.forget([name], 3 * DAY_US)
    assert not state.vectors.take(np.array([row])).any()
    assert "patient8sunflower" not in state.entities
    assert all(state.column(column)[row] == 0 for column in ("importance", "created_us"))


def test_nothing_of_it_is_in_the_log_or_in_an_error(opened, caplog):
    made = opened()
    draft, needles = secret()
    with caplog.at_level(logging.DEBUG):
        name = write(made, draft, needles)
        made.store.forget([name], 3 * DAY_US)
        with pytest.raises(KeyError) as raised:
            made.store.get([name])
    told = f"{caplog.text} {raised.value}"
    assert not [word for word in (SECRET, "patient8sunflower", "5context") if word in told]
