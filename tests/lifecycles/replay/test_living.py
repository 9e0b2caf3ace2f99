"""A story replayed: what the store holds at each moment."""

import numpy as np
import pytest

from hebb_lab.lifecycles.arms import Life
from hebb_lab.lifecycles.replay.living import Living
from hebb_lab.lifecycles.replay.story import DAY_US, Event, Tie, Touched, Written
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import EdgeKind
from tests.lifecycles.made import START_US, asked, items, story


def living(told, practice="on", rules=DOCUMENTED, practice_k=2, **life):
    store = MemoryStore.in_memory(8, rules=rules, rng=np.random.default_rng(0))
    way = Life(rules, ("similarity",), practice, **life)
    return Living(told, way, store, practice_k)


def replayed(told, **ways):
    made = living(told, **ways)
    made.run(told.exam, lambda at, rows: None)
    return made


def column(made, name):
    return made.store.state.column(name)[made.held.row_of].tolist()


def test_a_question_sees_what_was_strictly_before_its_time_and_nothing_else():
    own = items(6)
    times = [START_US, START_US + 1, START_US + 3 * DAY_US, START_US + 99 * DAY_US]
    told = story(own, asked(own, [0, 1, 2, 3], times))
    seen = {}
    made = living(told)
    made.run(told.exam, lambda at, rows: seen.update({at: (made.store.state.count, rows.tolist())}))
    assert seen == {
        times[0]: (0, [0]), times[1]: (1, [1]), times[2]: (3, [2]), times[3]: (6, [3]),
    }  # fmt: skip
    assert column(made, "created_us") == own.time_us.tolist()


def test_edges_come_with_the_later_of_two_memories_and_lead_as_the_data_says():
    ties = {1: [Tie(EdgeKind.FOLLOWED_BY, 0, 1)], 3: [Tie(EdgeKind.RELATED_TO, 3, 0, 0.5)]}
    made = replayed(story(items(4, ties=ties)))
    edges, rows = made.store.state.edges, made.held.row_of
    found = {
        (int(s), int(t), int(k), float(c))
        for s, t, k, c in zip(edges.source, edges.target, edges.kind, edges.confidence, strict=True)
    }
    assert found == {
        (rows[0], rows[1], EdgeKind.FOLLOWED_BY, 1.0), (rows[3], rows[0], EdgeKind.RELATED_TO, 0.5),
    }  # fmt: skip


def practised(own, wanted, practice_k=2):
    after = START_US + 10 * DAY_US
    return story(own, practice=asked(own, wanted, [after + i for i in range(len(wanted))], "p"))


@pytest.mark.parametrize(
    ("practice", "counts"),
    [("off", [0, 0, 0]), ("outcome", [0, 1, 0]), ("named", [0, 1, 0])],
)
def test_practice_reinforces_what_the_life_says(practice, counts):
    own = items(3)
    made = replayed(practised(own, [1]), practice=practice)
    assert column(made, "access_count") == counts
    assert made.counts["practised"] == (practice == "outcome")


def test_recall_that_reinforces_counts_everything_that_it_returned():
    made = replayed(practised(items(3), [1, 1]), practice="on")
    assert sum(column(made, "access_count")) == 4  # two questions × the best two
    assert column(made, "access_count")[1] == 2
    assert made.counts["reinforced"] == 4


def test_named_reinforces_what_was_needed_even_where_recall_would_not_find_it():
    own = items(4)
    ask = asked(own, [0], [START_US + 9 * DAY_US], "p")
    ask.needed[0] = np.array([3])
    told = story(own, practice=ask)
    assert column(replayed(told, practice="named"), "access_count") == [0, 0, 0, 1]
    assert column(replayed(told, practice="outcome", practice_k=1), "access_count") == [0] * 4


def test_what_was_needed_together_is_linked_where_co_recall_waits_for_the_outcome():
    own = items(3)
    ask = asked(own, [0], [START_US + 9 * DAY_US], "p")
    ask.needed[0] = np.array([0, 2])
    ask.vectors[0] = (own.vectors[0] + own.vectors[2]) / np.sqrt(2)
    told = story(own, practice=ask)
    rules = DOCUMENTED.change(co_recall="outcome")
    for practice in ("on", "outcome"):
        made = replayed(told, practice=practice, rules=rules, practice_k=3)
        assert len(made.store.state.edges.source) == 1
    every = replayed(told, rules=DOCUMENTED.change(co_recall="all_pairs"), practice_k=3)
    assert len(every.store.state.edges.source) == 3


@pytest.mark.parametrize("practice", ["on", "outcome", "named"])
def test_an_outcome_links_the_best_so_many_of_what_was_needed_as_all_pairs_does(practice):
    own = items(8)
    ask = asked(own, [0], [START_US + 9 * DAY_US], "p")
    ask.needed[0] = np.arange(8)
    rules = DOCUMENTED.change(co_recall="outcome", co_recall_first=3)
    made = replayed(story(own, practice=ask), practice=practice, rules=rules, practice_k=8)
    assert len(made.store.state.edges.source) == 3
    alone = rules.change(co_recall_first=1)
    assert not len(replayed(story(own, practice=ask), rules=alone).store.state.edges.source)


def lived(*happens, count=3):
    """An agent writes all items, then touches some: (item, before, edited), an hour apart."""
    own = items(count)
    events = [Event(int(at), Written(i, i + 1)) for i, at in enumerate(own.time_us)]
    last, hour = int(own.time_us[-1]), DAY_US // 24
    wanted = [item for item, _, _ in happens]
    steps = asked(own, wanted, [last + hour * (i + 1) for i in range(len(happens))], "s")
    events += [
        Event(last + hour * (i + 1), Touched(item, i, before, edited))
        for i, (item, before, edited) in enumerate(happens)
    ]
    return story(own, events=events, steps=steps, edited=sum(e for _, _, e in happens))


def test_a_touch_practises_and_is_followed_by_an_edge():
    made = replayed(lived((0, 2, False), (1, 0, False)), practice="outcome")
    assert column(made, "access_count") == [1, 1, 0]
    rows, edges = made.held.row_of.tolist(), made.store.state.edges
    pairs = set(zip(edges.source.tolist(), edges.target.tolist(), strict=True))
    assert pairs == {(rows[2], rows[0]), (rows[0], rows[1])}


@pytest.mark.parametrize(("way", "rows"), [("new", 4), ("in_place", 4)])
def test_an_edit_is_a_revision_where_the_life_has_revisions(way, rows):
    told = lived((0, 2, True), (1, 0, False))
    plain = replayed(told)
    assert (plain.store.state.count, plain.counts["revised"]) == (3, 0)
    made = replayed(told, rules=DOCUMENTED.change(revise=way), revises=True)
    state = made.store.state
    assert (state.count, made.counts["revised"]) == (rows, 1)
    newest = made.held.row_of[0]
    assert not state.column("superseded")[newest]
    assert made.held.nodes_of(np.arange(4)).tolist().count(0) == (2 if way == "new" else 1)


def test_a_life_that_forgets_loses_what_decayed_and_remembers_it_anew_when_it_is_touched():
    own = items(3, step_us=DAY_US)
    touch = START_US + 60 * DAY_US
    steps = asked(own, [0], [touch], "s")
    events = [Event(int(at), Written(i, i + 1)) for i, at in enumerate(own.time_us)]
    told = story(own, events=[*events, Event(touch, Touched(0, 0, -1, False))], steps=steps)
    rules = DOCUMENTED.change(half_life_days=2.0, forget_below=0.1)
    made = replayed(told, rules=rules, forgets=True)
    assert made.counts["forgotten"] == 3
    assert made.counts["remembered_again"] == 1
    assert [made.held.alive(item) for item in range(3)] == [True, False, False]
    assert made.store.state.column("created_us")[made.held.row_of[0]] == touch
    kept = replayed(told, rules=rules)
    assert [kept.held.alive(item) for item in range(3)] == [True] * 3


def test_a_question_comes_before_a_sweep_of_the_same_time_and_what_happens_after_it():
    own = items(1)
    sweep = START_US + DAY_US
    for late, swept_before in ((0, False), (1, True)):
        made = living(story(own, asked(own, [0], [sweep + late])), forgets=True)
        seen = []
        made.run(made.story.exam, lambda at, rows, made=made, seen=seen: seen.append(made.sweep_at))
        assert seen == [sweep + DAY_US if swept_before else sweep]


def test_a_sweep_comes_before_what_happens_at_its_time():
    own = items(1)
    times = [START_US + k * DAY_US for k in (24, 25)]
    rules = DOCUMENTED.change(half_life_days=10.0, half_life_gain=0.0, forget_below=0.1)
    for at, alive in ((times[0], True), (times[1], False)):
        # the sweep of day 24 flags it, that of day 25 lets it go before it can be touched
        told = story(own, asked(own, [0], [times[1] + 1]), asked(own, [0], [at], "p"))
        made = replayed(told, practice="named", rules=rules, forgets=True)
        assert made.held.alive(0) == alive


def test_a_memory_without_words_is_written_without_a_vector():
    own = items(3)
    own.vectors[1] = 0
    made = replayed(story(own))
    assert made.store.state.has_vector[made.held.row_of].tolist() == [True, False, True]


def test_the_same_story_and_seed_give_the_same_store():
    told = practised(items(5), [3, 1, 4])
    first, second = (replayed(told).store.state.frame() for _ in range(2))
    assert first.equals(second)
