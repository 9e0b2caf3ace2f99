import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.memory.changes import SCALARS, Added, Change, Texts
from hebb_lab.memory.errors import StoreError, StoreFullError, StoreReadOnlyError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.operations import Criteria
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import Cues, Draft, EdgeKind, Kind, Link
from tests.memory.stores import DAY, EAST, NORTH, WEST, Letters, edges_of, made_store


def said(store):
    """Everything that a store holds, in plain values."""
    rows = np.flatnonzero(store.state.alive)
    memories = {
        memory.id: (memory, store.state.vectors.take(rows[place : place + 1]).tobytes())
        for place, memory in enumerate(store.get(store.state.ids_of(rows)))
    }
    stones = store.journal.tombstones()
    return memories, sorted(edges_of(store)), list(stones.ids), store.state.clock_us


def lived(store):
    """A life of every operation."""
    a, b, c, d = store.remember([
        Draft("a", 0.9, {"x": 1}, "ada", vector=EAST),
        Draft("b", 0.2, entity_id="ada", links=[Link(EdgeKind.CAUSED_BY, 0)], vector=NORTH),
        Draft("c", kind=Kind.INSIGHT, links=[Link(EdgeKind.INSIGHT_FROM, 0)], vector=WEST),
        Draft("d"),
    ], DAY)  # fmt: skip
    store.recall(Cues(vectors=EAST[None]), 2 * DAY)
    newer = store.revise(a, 3 * DAY, content="e", vector=WEST)
    store.reinforce([b], 4 * DAY)
    store.forget([d], 5 * DAY)
    store.prime("ada", 6 * DAY, vector=EAST)
    store.decay(40 * DAY)
    store.forget(Criteria(kind=Kind.EPISODE, decay_score_below=0.1), 41 * DAY)
    return [a, b, c, d, newer]


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
def test_a_store_that_is_opened_again_is_as_it_was(tmp_path, rules):
    rng = np.random.default_rng(0)
    with MemoryStore.open(tmp_path / "s", rules=rules, dimensions=4, rng=rng) as store:
        lived(store)
        before = said(store)
        frame = store.frame()
        assert store.check() == []
    with MemoryStore.open(tmp_path / "s", rules=rules) as store:
        assert said(store) == before
        assert store.frame().sort("id").equals(frame.sort("id"))
        assert store.check() == []


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
def test_a_store_in_memory_lives_as_one_in_a_folder(tmp_path, rules):
    rng = np.random.default_rng(0)
    kept = MemoryStore.open(tmp_path / "s", rules=rules, dimensions=4, rng=rng)
    volatile = made_store(rules)
    with kept:
        assert lived(kept) == lived(volatile)
        assert said(kept) == said(volatile)


class Broken:
    """A journal that has no room for the next change."""

    def __init__(self, journal):
        self.journal = journal

    def __getattr__(self, name):
        return getattr(self.journal, name)

    def commit(self, change):
        raise StoreFullError("no room on the disk", "Make room")


@pytest.mark.parametrize(
    "operation",
    [
        lambda store, ids: store.remember(Draft("f"), 50 * DAY),
        lambda store, ids: store.revise(ids[4], 50 * DAY, importance=0.1),
        lambda store, ids: store.forget([ids[2]], 50 * DAY),
        lambda store, ids: store.reinforce([ids[2]], 50 * DAY),
        lambda store, ids: store.recall(Cues(vectors=EAST[None]), 50 * DAY),
        lambda store, ids: store.prime("ada", 50 * DAY, vector=EAST),
        lambda store, ids: store.decay(500 * DAY),
        lambda store, ids: store.collect_tombstones(500 * DAY),
    ],
)
def test_a_change_that_could_not_be_kept_leaves_the_store_as_it_was(operation):
    store = made_store()
    ids = lived(store)
    before, version = said(store), store.state.version
    store.journal = Broken(store.journal)
    with pytest.raises(StoreFullError):
        operation(store, ids)
    assert store.state.version == version
    store.journal = store.journal.journal
    assert said(store) == before
    operation(store, ids)
    assert store.state.version == version + 1


def test_a_change_that_is_half_applied_is_read_again_from_the_journal(monkeypatch):
    store = made_store()
    lived(store)
    state = store.state

    def broken(edges):
        raise KeyboardInterrupt

    monkeypatch.setattr(state.edges, "write", broken)
    (old,) = store.state.ids_of(np.flatnonzero(store.state.alive)[:1])
    with pytest.raises(KeyboardInterrupt):
        store.remember(Draft("f", links=[Link(EdgeKind.CAUSED_BY, old)]), 50 * DAY)
    assert store.state is not state
    assert store.check() == []
    assert store.forget(Criteria(accessed_before_us=51 * DAY), 51 * DAY).count > 0


def test_ids_that_are_there_already_are_refused_and_nothing_changes():
    store = made_store()
    (id,) = store.remember(Draft("a"), 1)
    version = store.state.version
    scalars = {name: np.ones(1, kind) for name, kind in SCALARS.items()}
    added = Added(Ids.parse([id]), Texts(["b"], ["{}"], [None], EAST[None]), scalars)
    with pytest.raises(StoreError, match="there already"):
        store.commit(Change(2, added=added))
    assert store.state.version == version
    assert store.get([id])[0].content == "a"


def test_a_reader_sees_what_a_writer_kept_once_it_looks_again(tmp_path):
    writer = MemoryStore.open(tmp_path / "s", dimensions=4)
    (a,) = writer.remember(Draft("a", vector=EAST), 1)
    reader = MemoryStore.open(tmp_path / "s", mode="read")
    assert not reader.refresh()
    (b,) = writer.remember(Draft("b", vector=EAST), 2)
    assert not reader.state.rows_of(Ids.parse([b])).max() >= 0
    assert reader.refresh()
    assert [memory.content for memory in reader.get([a, b])] == ["a", "b"]
    writer.forget([a], 3)
    assert reader.refresh()
    assert int(reader.state.alive.sum()) == 1
    reader.close()
    writer.close()


def test_a_reader_recalls_without_reinforcing_and_writes_nothing(tmp_path):
    with MemoryStore.open(tmp_path / "s", dimensions=4) as writer:
        (id,) = writer.remember(Draft("a", entity_id="ada", vector=EAST), 1)
    with MemoryStore.open(tmp_path / "s", mode="read") as reader:
        assert reader.recall(Cues(vectors=EAST[None]), 2).hits()[0].id == id
        assert len(reader.prime("ada", 2, vector=EAST).hits()) == 1
        assert reader.get([id])[0].access_count == 0
        with pytest.raises(StoreReadOnlyError):
            reader.remember(Draft("b"), 3)
        with pytest.raises(StoreReadOnlyError):
            reader.recall(Cues(vectors=EAST[None]), 3, reinforce=True)
        assert reader.state.count == 1


def test_durability_is_handed_to_the_journal(tmp_path):
    rules = DOCUMENTED.change(durability="normal")
    with MemoryStore.open(tmp_path / "s", rules=rules, dimensions=4) as store:
        (level,) = store.journal._db.execute("PRAGMA synchronous").fetchone()
    with MemoryStore.open(tmp_path / "t", dimensions=4) as store:
        (full,) = store.journal._db.execute("PRAGMA synchronous").fetchone()
    assert (level, full) == (1, 2)


def test_the_embedder_gives_the_length_of_vectors(tmp_path):
    with MemoryStore.open(tmp_path / "s", embedder=Letters(5)) as store:
        assert store.state.dimensions == 5
        store.remember([Draft("abc"), Draft("eee")], 1)
        assert store.get([store.recall("ae", 2, k=1).hits()[0].id])[0].content == "eee"
        assert store.embed(["a", " "]).tolist() == [[1, 0, 0, 0, 0], [0] * 5]
    with MemoryStore.open(tmp_path / "s") as store, pytest.raises(ConfigError, match="no embedder"):
        store.embed(["a"])
    store = made_store(embedder=Letters(7))
    with pytest.raises(ConfigError, match="gives 7 numbers, the store has 4"):
        store.remember(Draft("a"), 1)


def test_a_folder_that_cannot_be_opened_leaves_no_lock(tmp_path):
    with MemoryStore.open(tmp_path / "s", dimensions=4):
        pass
    with pytest.raises(ConfigError, match="vectors of 4, not 5"):
        MemoryStore.open(tmp_path / "s", dimensions=5)
    with MemoryStore.open(tmp_path / "s", dimensions=4) as store:
        assert store.state.count == 0


def test_an_error_says_nothing_of_what_a_memory_says(caplog):
    store = made_store()
    secret = "sesame" * 20_000
    for draft in (Draft(secret), Draft("a", context={"k": secret}), Draft("a", entity_id=secret)):
        with pytest.raises(InputError) as error:
            store.remember(draft, 1)
        assert "sesame" not in str(error.value)
    (id,) = store.remember(Draft("sesame", entity_id="sesame"), 1)
    store.forget(Criteria(entity_id="sesame"), 2)
    with pytest.raises(StoreError) as error:
        store.get([id])
    assert "sesame" not in str(error.value)
    assert "sesame" not in caplog.text


def test_the_journal_and_the_state_are_compared():
    store = made_store()
    store.remember([Draft("a"), Draft("b")], 1)
    store.state.apply(Change(2, forgotten=store.state.ids_of(np.array([0]))))
    assert store.check() == ["the journal holds 2 memories, the state 1"]


def test_dangling_edges_are_reported_where_the_rules_refuse_them():
    store = made_store(dangling_edges="keep")
    strange = Ids.from_bytes([bytes(range(16))])[0]
    store.remember(Draft("a", links=[Link(EdgeKind.CAUSED_BY, strange)]), 1)
    assert store.check() == []
    store.rules = DOCUMENTED
    assert store.check() == ["1 edges dangle"]


def test_a_reflection_keeps_insights_that_insights_lists():
    store = made_store()
    store.remember([Draft(f"They sail {place}.", vector=EAST) for place in range(6)], DAY)
    found = store.reflect(2 * DAY)
    assert found.insights == 1
    (insight,) = store.insights()
    assert insight.kind is Kind.INSIGHT
    assert len(store.lineage(insight.id).ancestors) == 6
    with pytest.raises(InputError, match="goes back"):
        store.reflect(DAY)


def test_export_and_frame_hand_on_what_is_held(tmp_path):
    store = made_store()
    lived(store)
    store.export(tmp_path / "out")
    assert (tmp_path / "out" / "memories.parquet").exists()
    assert store.frame().height == int(store.state.alive.sum())
    store.compact()


def test_subscribing_hands_on_what_arrives():
    store = made_store(embedder=Letters())
    store.remember(Draft("aaa"), 1)
    subscription = store.subscribe()
    subscription.feed("aa " * 20, 2)
    assert len(list(subscription.drain())) == 1


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
@pytest.mark.parametrize("scope", [None, "ada"])
@pytest.mark.parametrize("strategy", ["similarity", "temporal", "causal", "analogical"])
def test_an_empty_store_finds_nothing(rules, scope, strategy):
    store = made_store(rules)
    cues = Cues(vectors=np.stack([EAST, NORTH]), entities=scope)
    found = store.recall(cues, DAY, strategies=[strategy])
    assert [found.hits(0), found.hits(1)] == [[], []]


def test_strategies_may_come_one_by_one():
    store = MemoryStore.in_memory(2)
    store.remember(Draft("one", vector=np.float32([1, 0])), 1)
    cues = Cues(vectors=np.float32([[1, 0]]))
    found = store.recall(cues, 2, strategies=(name for name in ["similarity", "temporal"]))
    assert len(found.hits()) == 1
