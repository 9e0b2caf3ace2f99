"""Stories replayed, and settings that are chosen without a look at what is tested."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.kernels.choose import choose_backend
from hebb_lab.lifecycles.arms import arms_of
from hebb_lab.lifecycles.protocol.execute import begun
from hebb_lab.lifecycles.protocol.lives import Lives, answered, readings_of
from hebb_lab.lifecycles.replay.agent import agent_story
from hebb_lab.lifecycles.replay.deal import Paper
from hebb_lab.lifecycles.replay.story import Practised
from hebb_lab.lifecycles.settings import MemorySettings
from tests.lifecycles.made import prepared_corpus, prepared_log, vectors, write_corpus
from tests.made_logs import MINUTE, SECOND, START, event, log_of

OVERRIDES = ("debug=tiny", "recall.embedder=hashing", "memory.families=[tuned]",
             "memory.rules.reinforcement=off", "memory.horizons=[1,40]", "memory.tuning.folds=3",
             "memory.tuning.metric=RR@10", "memory.tuning.grids.tuned.weight_importance=[0.0,0.4]",
             "memory.tuning.grids.tuned.weight_reinforcement=[0.1]")  # fmt: skip


def lives_of(folder, *, dated):
    prepared, settings = prepared_corpus(write_corpus(folder, dated=dated), *OVERRIDES)
    work = begun(prepared, settings, choose_backend("cpu").kernels)
    return work.lives, next(arm for arm in work.arms if arm.tuned == "tuned")


def given_by(lives, arm):
    """(what practice chose, the answers of the tuned arm)."""
    pick = lives.picks(arm.life(), [arm], lambda done, total: None)[arm.name]
    _, found = lives.replayed(arm.life(), lives.story.exam, readings_of(arm, pick))
    return pick, answered(found, arm, pick)


def asked_otherwise(lives, rows, seed=0):
    """Some practice questions ask by other words, and so are answered otherwise."""
    practice = lives.story.practice
    moved = practice.vectors.copy()
    other = np.random.default_rng(seed).normal(size=(int(rows.sum()), moved.shape[1]))
    moved[rows] = other / np.linalg.norm(other, axis=1, keepdims=True)
    return replace(lives, story=replace(lives.story, practice=replace(practice, vectors=moved)))


@pytest.mark.parametrize("dated", [False, True], ids=["clusters", "time"])
def test_what_may_not_choose_for_a_question_leaves_its_answers_bit_identical(tmp_path, dated):
    lives, arm = lives_of(tmp_path / "c", dated=dated)
    pick, given = given_by(lives, arm)
    assert pick.by == ("time" if dated else "clusters")
    assert len(pick.parts) == 3
    moved = 0
    for part in (each.part for each in pick.parts):
        for seed in range(3):
            other, changed = given_by(asked_otherwise(lives, ~part.practice, seed), arm)
            own = part.test
            assert (changed.sheet.ids[:, own] == given.sheet.ids[:, own]).all()
            assert (changed.sheet.scores[:, own] == given.sheet.scores[:, own]).all()
            moved += [each.arm for each in other.parts] != [each.arm for each in pick.parts]
            moved += other.chosen != pick.chosen
    assert moved  # what was altered does count, for others


def test_practice_is_judged_by_its_own_gold_at_the_first_horizon(tmp_path):
    lives, arm = lives_of(tmp_path / "c", dated=True)
    asked = []
    replayed = type(lives).replayed

    class Listening(type(lives)):
        def replayed(self, life, paper, readings, told=None, horizons=None):
            asked.append((tuple(paper.ids), tuple(horizons)))
            return replayed(self, life, paper, readings, horizons=horizons)

    heard = Listening(**vars(lives))
    heard.picks(arm.life(), [arm], lambda done, total: None)
    assert asked == [(tuple(lives.story.practice.ids), (1,))]
    reading = arm.reading()
    _, found = lives.replayed(arm.life(), lives.story.practice, [reading], horizons=(1,))
    sheet = found[reading].sheet
    nodes, needed = lives.story.items.nodes, lives.story.practice.needed
    ranks = [
        np.flatnonzero(sheet.ids[0, row, :10] == nodes[items[0]])
        for row, items in enumerate(needed)
    ]
    wanted = [1 / (rank[0] + 1) if len(rank) else 0.0 for rank in ranks]
    assert lives.practised(sheet) == pytest.approx(wanted)


def test_the_first_task_that_asks_a_practice_question_judges_it(tmp_path):
    lives, arm = lives_of(tmp_path / "c", dated=True)
    (name, task), reading = next(iter(lives.tasks.items())), arm.reading()
    _, found = lives.replayed(arm.life(), lives.story.practice, [reading], horizons=(1,))
    sheet = found[reading].sheet
    wrong = replace(task, qrels=replace(task.qrels, ids=np.roll(task.qrels.ids, 5)))
    first = replace(lives, tasks={name: task, "again": wrong}).practised(sheet)
    last = replace(lives, tasks={"again": wrong, name: task}).practised(sheet)
    assert first.tolist() == lives.practised(sheet).tolist() != last.tolist()


def session(name, nodes, at):
    return [event(name, 1, node, START + at * MINUTE + i * SECOND, op=op)
            for i, (node, op) in enumerate(nodes)]  # fmt: skip


LOG = [
    *session("a", [("x", "read"), ("y", "edit"), ("z", "read"), ("x", "edit")], 0),
    *session("b", [("y", "read"), ("x", "read"), ("w", "read"), ("z", "edit")], 60),
    *session("c", [("w", "read"), ("z", "read"), ("x", "read"), ("y", "read")], 120),
    *session("d", [("z", "read"), ("w", "edit"), ("y", "read"), ("x", "read")], 180),
]
CUT_US = START + 150 * MINUTE


def answers_of(rows):
    """(arm, query before the cut) → nodes and scores of its answers, at each horizon."""
    prepared, settings = prepared_log(log_of(rows), "debug=tiny")
    protocol = settings.evaluation.protocol
    tasks = prepared.tasks(("all_touches",), protocol)
    queries, names = tasks["all_touches"].queries, tasks["all_touches"].clusters
    every = np.arange(len(queries.query_ids))
    groups = tuple(names[cluster] for cluster in queries.cluster.tolist())
    paper = Paper(tuple(queries.query_ids), ("all_touches",) * len(every), every, groups)
    told = agent_story(prepared, tasks, paper, paper.some(every[:0]), vectors, protocol)
    lives = Lives(told, settings.memory, tasks, prepared.tokens, 10, 0)
    families = ("reinforcement", "co_recall", "forgetting", "revisions", "systems")
    found, nodes = {}, prepared.touches.nodes
    for arm in arms_of(MemorySettings(families=families)):
        _, given = lives.replayed(arm.life(), told.exam, [arm.reading()])
        sheet = given[arm.reading()].sheet
        assert given[arm.reading()].error is None
        for row in np.flatnonzero(told.exam.time_us < CUT_US).tolist():
            ids = [[nodes[node] for node in best if node >= 0] for best in sheet.ids[:, row]]
            found[arm.name, told.exam.ids[row]] = ids, sheet.scores[:, row].tobytes()
    return found


def test_a_log_without_its_future_or_with_another_is_answered_bit_for_bit_as_before():
    whole = answers_of(LOG)
    assert len({query for _, query in whole}) > 4
    assert len({scores for _, scores in whole.values()}) > 10  # arms and questions differ
    another = session("e", [("z", "edit"), ("x", "edit"), ("w", "edit"), ("x", "read")], 200)
    before = [row for row in LOG if row["time_us"] < CUT_US]
    for rows in (before, [*before, *another]):
        assert answers_of(rows) == whole


def test_a_practice_question_is_an_event_of_the_story(tmp_path):
    lives, _ = lives_of(tmp_path / "c", dated=True)
    rows = [event.what.question for event in lives.story.events
            if isinstance(event.what, Practised)]  # fmt: skip
    assert sorted(rows) == list(range(len(lives.story.practice)))
