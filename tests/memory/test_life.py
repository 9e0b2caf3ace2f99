"""Whole lives of stores against a model over dicts, under many rule sets and on both journals."""

import shutil
import tempfile
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hebb_lab.errors import HebbLabError
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.parquet import imported
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.reflection import Insight
from hebb_lab.memory.store import Criteria, MemoryStore
from hebb_lab.memory.values import Cues, Draft, EdgeKind, Kind, Link
from tests.memory import plain
from tests.memory.plain import DAY_US, Plain, PlainStore
from tests.memory.plain_recall import PlainRecall

DIMENSIONS, NEAR, EVERY = 4, 2e-6, 200
SWITCHES = (
    {}, {"revise": "in_place"}, {"revise": "in_place", "revisions_kept": 1},
    {"revise": "in_place", "revisions_kept": 0}, {"revise_context": "replace"},
    {"revisions_kept": 1}, {"revisions_kept": 0, "forget_insights": "mark"},
    {"forget_revisions": False}, {"forget_insights": "mark"}, {"forget_insights": "keep"},
    {"insight_stale": False}, {"vacuum": False}, {"durability": "normal"},
    {"unflag": False}, {"fresh_look": False}, {"fresh_look": False, "auto_forget_most": 1},
    {"auto_forget_most": 1}, {"decay_superseded": False}, {"decay_anchor": "created"},
    {"count_in_decay": False}, {"half_life_gain": 0.0}, {"forget_below": 0.3},
    {"decay_epsilon": 0.2}, {"half_life_days": 3.0, "forget_below": 0.2},
    {"reinforcement": "off"}, {"reinforcement": "outcome"}, {"importance_boost": 0.0},
    {"count_gain": False}, {"access_moves_clock": False}, {"co_recall": "all_pairs"},
    {"co_recall": "all_pairs", "co_recall_first": 2}, {"dangling_edges": "keep"},
    {"clock_back": "keep"}, {"superseded_recalled": True}, {"stale_recalled": False},
    {"unscoped_shared": False}, {"scope_filter": "after", "scope_oversampling": 1},
    {"causal_distance": "linear"}, {"causal_direction": "forward"}, {"causal_depth": 2},
    {"causal_recency": 0.0}, {"edge_confidence": False}, {"weight_related_to": 0.0},
    {"fusion": "rrf"}, {"fusion": "normalised"}, {"decay_in_rank": "none"},
    {"decay_in_rank": "factor"}, {"recency_anchor": "accessed"},
    {"recency_shape": "half_life"}, {"recency_days": 0.0}, {"reinforcement_cap": 3},
    {"reflect_least": 2, "cluster_least": 1}, {"reflect_cursor": "always", "reflect_least": 2},
    {"reflect_superseded": True, "reflect_least": 1, "cluster_least": 2},
    {"clustering": "hdbscan", "insight_source_gain": True, "insight_weight": 0.2},
)  # fmt: skip
# The walk and an exact search, which the model has; offsets and HNSW have tests of their own.
RULES = (
    *(DOCUMENTED.change(**switches) for switches in SWITCHES),
    OBSERVED.change(index="exact", causal="walk"),
)
VECTORS = (
    None, (1, 0, 0, 0), (0, 1, 0, 0), (0.6, 0.8, 0, 0), (0, 0.6, 0.8, 0), (-1, 0, 0, 0),
)  # fmt: skip
vectors = st.sampled_from(VECTORS).map(lambda one: None if one is None else np.float32(one))
cues = st.sampled_from(VECTORS[1:]).map(np.float32)
entities = st.sampled_from([None, "ada", "bo 'b\"; --", "☂"])
shares = st.sampled_from([0.0, 0.01, 0.3, 0.5, 0.9, 1.0])
contents = st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable())
contexts = st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=2)
waits = st.sampled_from([0, 1, DAY_US // 3, 2 * DAY_US, 20 * DAY_US, 100 * DAY_US])
places = st.integers(0, EVERY)
edge_kinds = st.sampled_from([EdgeKind.CAUSED_BY, EdgeKind.RELATED_TO, EdgeKind.FOLLOWED_BY])


class Life(RuleBasedStateMachine):
    """A store and a `PlainStore` that live the same life; after each step they hold the same."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.store = self.reader = None
        self.ever = []  # ids, forgotten ones too

    memory_rules = DOCUMENTED

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed):
        self.model = PlainStore(self.memory_rules)
        self.now = DAY_US
        self.store = self.made()
        self.remember_many(0, seed)

    def made(self):
        return MemoryStore.in_memory(
            DIMENSIONS, rules=self.memory_rules, rng=np.random.default_rng(0)
        )

    def later(self, wait):
        self.now += wait
        return self.now

    def living(self):
        return sorted(self.model.memories)

    def one(self, place):
        """Some living id, by a number of any size."""
        names = self.living()
        return names[place % len(names)]

    def new_ids(self):
        held = self.store.state
        return sorted(set(held.ids_of(np.flatnonzero(held.alive))) - self.model.memories.keys())

    def refused(self, act):
        """An operation that must be refused, after which everything is as it was."""
        before = self.store.state.version
        with pytest.raises(HebbLabError):
            act()
        assert self.store.state.version == before

    # writing
    @rule(
        wait=waits, content=contents, importance=shares, context=contexts, entity=entities,
        vector=vectors, links=st.lists(st.tuples(edge_kinds, places, shares, st.booleans())),
        insight=st.booleans(), revises=st.none() | places,
    )  # fmt: skip
    def remember(
        self, wait, content, importance, context, entity, vector, links, insight, revises
    ):  # fmt: skip
        first = revises is not None and self.model.memories
        made = [Link(EdgeKind.REVISED_FROM, self.one(revises))] if first else []
        made += [
            Link(kind, self.one(place), share, incoming)
            for kind, place, share, incoming in links
            if self.model.memories
        ]
        kind = Kind.EPISODE
        if insight and self.model.memories:
            kind = Kind.INSIGHT
            made.append(Link(EdgeKind.INSIGHT_FROM, self.one(len(content)), importance))
        draft = Draft(content, importance, context, entity, made, vector, kind)
        at = self.later(wait)
        self.keep([draft], at)

    def keep(self, drafts, at):
        names = list(self.store.remember(drafts, at))
        assert names == sorted(names)
        assert not set(names) & set(self.ever)
        assert not self.ever or names[0] > max(self.ever)
        self.model.remember(names, drafts, at)
        self.ever += names

    @rule(wait=waits, seed=st.integers(0, 2**32))
    def remember_many(self, wait, seed):
        """Some memories at once, by chance: linked to each other and to older ones."""
        rng = np.random.default_rng(seed)
        older = self.living()
        drafts = []
        for place in range(int(rng.integers(2, 6))):
            known = [*range(place), *older]
            links = [
                Link(EdgeKind(int(rng.integers(1, 4))), known[int(rng.integers(len(known)))],
                     float(rng.choice([0.2, 0.7, 1.0])), bool(rng.integers(2)))
                for _ in range(int(rng.integers(0, 3)) if known else 0)
            ]  # fmt: skip
            kind = Kind.EPISODE
            if known and rng.random() < 0.3:
                kind = Kind.INSIGHT
                links.append(Link(EdgeKind.INSIGHT_FROM, known[int(rng.integers(len(known)))]))
            vector = VECTORS[int(rng.integers(len(VECTORS)))]
            entity = [None, "ada", "☂"][int(rng.integers(3))]
            drafts.append(
                Draft(f"said {seed} {place}", float(rng.choice([0.02, 0.3, 0.9])), {}, entity,
                      links, None if vector is None else np.float32(vector), kind)
            )  # fmt: skip
        self.keep(drafts, self.later(wait))

    @rule(importance=st.sampled_from([float("nan"), 1.1, -0.1]))
    def a_bad_memory_takes_the_good_one_with_it(self, importance):
        drafts = [Draft("good"), Draft("bad", importance)]
        self.refused(lambda: self.store.remember(drafts, self.now))

    @precondition(lambda self: len(self.ever) > len(self.model.memories))
    @rule(place=places)
    def an_edge_to_what_was_forgotten(self, place):
        gone = sorted(set(self.ever) - self.model.memories.keys())
        draft = Draft("late", links=[Link(EdgeKind.RELATED_TO, gone[place % len(gone)])])
        if self.memory_rules.dangling_edges == "keep":
            self.keep([draft], self.now)
        else:
            self.refused(lambda: self.store.remember(draft, self.now))

    @precondition(lambda self: self.model.clock_us > 0)
    @rule()
    def a_clock_that_goes_back(self):
        if self.memory_rules.clock_back == "refuse":
            earlier = self.model.clock_us - 1
            self.refused(lambda: self.store.remember(Draft("early"), earlier))
        else:
            self.keep([Draft("early")], max(self.model.clock_us - DAY_US, 0))

    @precondition(lambda self: self.model.memories)
    @rule(
        wait=waits, place=places, content=st.none() | contents, importance=st.none() | shares,
        context=st.none() | contexts, entity=st.just(plain.KEEP) | entities, vector=cues,
    )  # fmt: skip
    def revise(self, wait, place, content, importance, context, entity, vector):
        name = self.one(place)
        at = self.later(wait)
        asked = plain.Revision(content, importance, context, entity, (), vector)
        given = {"content": content, "importance": importance, "context": context}
        if entity is not plain.KEEP:
            given["entity_id"] = entity
        if self.model.memories[name].superseded:
            self.refused(lambda: self.store.revise(name, at, vector=vector, **given))
            return
        now = self.store.revise(name, at, vector=vector, **given)
        made = self.new_ids()
        self.model.revise(name, at, made[0] if made else None, asked)
        self.ever += made
        assert now == (made[0] if self.memory_rules.revise == "new" else name)

    @precondition(lambda self: self.model.memories)
    @rule(place=places, times=st.integers(2, 4))
    def revise_again_and_again(self, place, times):
        name = self.one(place)
        if self.model.memories[name].superseded:
            return
        for number in range(times):
            at = self.later(DAY_US)
            vector = np.float32(VECTORS[1 + number])
            asked = plain.Revision(f"state {number}", None, None, plain.KEEP, (), vector)
            name_now = self.store.revise(name, at, content=f"state {number}", vector=vector)
            made = self.new_ids()
            self.model.revise(name, at, made[0] if made else None, asked)
            self.ever += made
            name = name_now

    # forgetting
    @precondition(lambda self: self.model.memories)
    @rule(wait=waits, chosen=st.lists(places, min_size=1, max_size=3))
    def forget(self, wait, chosen):
        names, at = [self.one(place) for place in chosen], self.later(wait)
        gone = self.store.forget(names, at)
        assert (gone.count, gone.cascaded) == self.model.forget(names, at)

    @rule(wait=waits, entity=entities.filter(bool), count=st.none() | st.integers(1, 3))
    def forget_by_criteria(self, wait, entity, count):
        at = self.later(wait)
        names = [
            name for name, one in self.model.memories.items()
            if one.entity == entity and (count is None or one.count < count)
        ]  # fmt: skip
        gone = self.store.forget(Criteria(entity_id=entity, access_count_below=count), at)
        assert (gone.count, gone.cascaded) == self.model.forget(names, at)

    @rule(wait=waits)
    def decay(self, wait):
        at = self.later(wait)
        swept = self.store.decay(at)
        assert (swept.written, swept.flagged, swept.unflagged) == self.model.decay(at)

    @rule(wait=waits)
    def auto_forget(self, wait):
        at = self.later(wait)
        gone = self.store.auto_forget(at)
        assert (gone.count, gone.cascaded) == self.model.auto_forget(at)

    @rule(wait=waits)
    def collect_tombstones(self, wait):
        at = self.later(wait)
        assert self.store.collect_tombstones(at) == self.model.collect(at)

    # recall
    @rule(wait=waits, vector=cues, entity=entities, k=st.sampled_from([1, 3, EVERY]))
    def recall_by_similarity(self, wait, vector, entity, k):
        at = self.later(wait)
        found = self.store.recall(Cues(vectors=vector[None], entities=entity), at, k=k)
        view = PlainRecall(self.model, at, entity)
        self.check_recall(found, view, [view.similarity(vector.tolist(), k)], k)

    @rule(wait=waits, entity=entities, k=st.sampled_from([1, 3, EVERY]))
    def recall_by_time(self, wait, entity, k):
        at = self.later(wait)
        asked = Cues(texts=["what is new"], entities=entity)
        found = self.store.recall(asked, at, k=k, strategies=["temporal"])
        view = PlainRecall(self.model, at, entity)
        self.check_recall(found, view, [view.temporal(k)], k)

    @rule(wait=waits, vector=cues, entity=entities, k=st.sampled_from([3, EVERY]))
    def recall_by_both(self, wait, vector, entity, k):
        at = self.later(wait)
        found = self.store.recall(
            Cues(vectors=vector[None], entities=entity), at, k=k,
            strategies=["similarity", "temporal"],
        )  # fmt: skip
        view = PlainRecall(self.model, at, entity)
        lists = [view.similarity(vector.tolist(), k), view.temporal(k)]
        self.check_recall(found, view, lists, k)

    @precondition(lambda self: self.ever)
    @rule(wait=waits, place=places, entity=entities)
    def recall_by_cause(self, wait, place, entity):
        at, seed = self.later(wait), self.ever[place % len(self.ever)]
        asked = Cues(texts=["why"], seeds=[seed], entities=entity)
        found = self.store.recall(asked, at, k=EVERY, strategies=["causal"])
        view = PlainRecall(self.model, at, entity)
        self.check_recall(found, view, [view.walk(seed)], EVERY)

    def check_recall(self, found, view, lists, k):
        assert len(found.failures) == lists.count(None)
        relevance = view.fused([one or {} for one in lists])
        wanted = view.scored(relevance)
        hits = found.hits()
        assert len(hits) == min(k, len(wanted))
        for hit in hits:
            assert hit.score == pytest.approx(wanted[hit.id], abs=NEAR)
            assert hit.relevance == pytest.approx(relevance[hit.id], abs=NEAR)
        # Best first; what is left out is not better than the last, but for rounding.
        scores = [wanted[hit.id] for hit in hits]
        assert all(one >= other - NEAR for one, other in pairwise(scores))
        named = [hit.id for hit in hits]
        rest = [score for name, score in wanted.items() if name not in named]
        assert not rest or not scores or max(rest) <= min(scores) + NEAR
        if self.memory_rules.reinforcement == "on":
            self.model.access([named], view.at)

    @precondition(lambda self: self.model.memories)
    @rule(wait=waits, chosen=st.lists(places, min_size=1, max_size=3))
    def an_outcome_names_what_helped(self, wait, chosen):
        names, at = [self.one(place) for place in chosen], self.later(wait)
        self.store.reinforce(names, at)
        if self.memory_rules.reinforcement != "off":
            self.model.access([[name] for name in names], at)

    # reflection
    @rule(
        wait=waits, entity=entities, unlucky=st.integers(0, 3), spoken=st.integers(0, 2),
        some=st.booleans(),
    )  # fmt: skip
    def reflect(self, wait, entity, unlucky, spoken, some):
        """The model is told which episodes a writer saw together; all else it knows."""
        at, rules = self.later(wait), self.memory_rules
        waiting = self.model.waiting(at, entity)
        asked = []

        def writer(sources):
            asked.append(sources)
            if len(asked) == unlucky:
                raise RuntimeError("no model today")
            places = (0,) if some else tuple(range(len(sources)))
            return [Insight(f"{len(asked)}.{n}", 0.25, places, ("t",)) for n in range(spoken)]

        found = self.store.reflect(at, entity=entity, writer=writer)
        seen = len(waiting) if len(waiting) >= rules.reflect_least else 0
        assert (found.waiting, found.seen) == (len(waiting), seen)
        assert found.clusters == len(asked)
        assert sum(map(len, asked)) + found.too_small + found.noise == seen
        assert all(len(sources) >= rules.cluster_least for sources in asked)
        assert [one.cluster + 1 for one in found.failures] == [unlucky] * (
            0 < unlucky <= len(asked)
        )
        made = self.new_ids()
        assert list(found.ids) == made
        assert len(made) == spoken * (len(asked) - len(found.failures))
        insights = {name: self.insight(name, asked, some, waiting) for name in made}
        held = self.store.state
        flags = held.column("reflected")[held.rows_of(Ids.parse(waiting))] if waiting else []
        left = {name for name, flag in zip(waiting, flags, strict=True) if not flag}
        failed = sum(one.episodes for one in found.failures)
        if seen:
            assert len(left) == (failed if rules.reflect_cursor == "success" else 0)
        else:
            assert len(left) == len(waiting)
        assert not left & {source for one in insights.values() for source in one[-1]}
        self.model.reflect(at, entity, insights, left)
        self.ever += made

    def insight(self, name, asked, some, waiting):
        """What the model is told of an insight, held to what its writer was given and said."""
        [told] = self.store.get([name])
        cluster = int(told.content.split(".")[0]) - 1
        count = 1 if some else len(asked[cluster])
        state = self.store.state
        edges = state.edges
        mine = edges.source == state.rows_of(Ids.parse([name]))[0]
        sources = state.ids_of(edges.target[mine])
        assert len(sources) == count
        assert set(sources) <= set(waiting)
        said = sorted(self.model.memories[source].content for source in sources)
        assert said == sorted(asked[cluster].contents[:count])
        vector = state.vectors.take(state.rows_of(Ids.parse([name])))[0]
        mean = asked[cluster].vectors[:count].mean(0, dtype=np.float64)
        if np.linalg.norm(mean) > NEAR:
            np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=NEAR)
        context = {"cluster": cluster, "confidence": 0.25, "sources": count, "tags": ["t"]}
        return told.content, 0.25, context, vector, list(sources)

    # the store as a whole
    @rule()
    def open_it_again(self):
        self.store = MemoryStore(self.store.journal, rules=self.memory_rules, rng=self.store.rng)

    @rule()
    def compact(self):
        self.store.compact()

    @invariant()
    def they_hold_the_same(self):
        if self.store is not None:
            self.compare(self.store)

    def compare(self, store):
        state, model = store.state, self.model
        names = self.living()
        assert sorted(state.ids_of(np.flatnonzero(state.alive))) == names
        rows = state.rows_of(Ids.parse(names)) if names else np.zeros(0, np.int64)
        marks = [state.column(name)[rows].tolist() for name in ("flagged", "reflected")]
        held = state.vectors.take(rows) if names else []
        for one, *both, vector in zip(store.get(names), *marks, held, strict=True):
            self.compare_memory(one, model.memories[one.id], both, vector)
        edges = state.edges
        source = [int(row) for row in edges.source]
        assert len(edges) == len(model.edges)
        inner = {key: value for key, value in model.edges.items() if key[1] in model.memories}
        assert {
            (state.ids_of(np.array([a]))[0], state.ids_of(np.array([b]))[0], EdgeKind(kind)): (
                pytest.approx(float(confidence), abs=NEAR), int(time),
            )
            for a, b, kind, confidence, time in zip(
                source, edges.target, edges.kind, edges.confidence, edges.time_us, strict=True
            )
            if b >= 0
        } == inner  # fmt: skip
        self.compare_tombstones(store.journal.tombstones())
        assert state.clock_us == model.clock_us

    def compare_memory(self, one, wanted, marks, vector):
        assert Plain(
            one.content, pytest.approx(one.importance, abs=NEAR), dict(one.context),
            one.entity_id, one.kind, tuple(vector.tolist()) if vector.any() else (),
            one.created_us, one.updated_us, one.accessed_us,
            pytest.approx(one.decay_score, abs=NEAR), one.access_count, one.clock,
            one.superseded, one.stale, *marks,
        ) == wanted  # fmt: skip

    def compare_tombstones(self, stones):
        assert list(stones.ids) == sorted(self.model.tombstones)
        for name, time, salt, digest in zip(
            stones.ids, stones.time_us.tolist(), stones.salt, stones.digest, strict=True
        ):
            content, forgotten = self.model.tombstones[name]
            assert (time, digest) == (forgotten, sha256(salt + content.encode()).digest())

    def teardown(self):
        if self.reader is not None:
            self.reader.close()
        if self.store is not None:
            self.store.close()
        shutil.rmtree(self.folder)


class DurableLife(Life):
    """The same with a store in a folder, closed, read beside and moved on the way."""

    places_made = 0

    def made(self):
        self.place = self.folder / "store"
        return self.opened()

    def opened(self):
        return MemoryStore.open(
            self.place, rules=self.memory_rules, dimensions=DIMENSIONS, rng=np.random.default_rng(0)
        )

    @rule()
    def open_it_again(self):
        self.store.close()
        self.store = self.opened()
        assert self.store.check() == []

    @rule()
    def move_it_by_parquet(self):
        self.places_made += 1
        tables = self.folder / f"tables {self.places_made}"
        self.store.export(tables)
        self.store.close()
        if self.reader is not None:
            self.reader.close()
            self.reader = None
        self.place = self.folder / f"store {self.places_made}"
        journal = DurableJournal.open(self.place, DIMENSIONS)
        for change in imported(tables):
            journal.commit(change)
        journal.close()
        self.store = self.opened()

    @rule()
    def read_beside_it(self):
        if self.reader is None:
            self.reader = MemoryStore.open(self.place, rules=self.memory_rules, mode="read")
        self.reader.refresh()
        self.compare(self.reader)
        version = self.reader.state.version
        if self.model.memories:
            vector = np.float32([[1, 0, 0, 0]])
            self.reader.recall(Cues(vectors=vector), self.now)
        assert self.reader.state.version == version


def live(kind, rules, examples):
    """Let so many stores of one rule set live."""
    named = type(kind.__name__, (kind,), {"memory_rules": rules})
    run_state_machine_as_test(
        named,
        settings=settings(
            max_examples=examples, stateful_step_count=40, deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("switches", [*SWITCHES, "observed"], ids=str)
def test_a_store_in_memory_lives_as_the_rules_say(switches):
    live(Life, RULES[SWITCHES.index(switches) if switches != "observed" else -1], 5)


@pytest.mark.parametrize("rules", [RULES[place] for place in (0, 2, 3, 8, 11, 29, 31, -1)])
def test_a_store_in_a_folder_lives_as_the_rules_say(rules):
    live(DurableLife, rules, 4)
