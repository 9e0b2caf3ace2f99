"""Processes that are killed: what was acknowledged is there, what was forgotten is not."""

import pytest

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import MemoryStore
from tests.memory.crash import killing, steps


@pytest.mark.parametrize("scenario", killing.SCENARIOS)
def test_a_kill_at_any_moment_leaves_all_that_was_acknowledged_and_nothing_forgotten(
    scenario, tmp_path
):
    count = killing.killed(tmp_path, scenario, 4, 1000)
    assert count.lost == []
    assert count.survived == count.tried == 4


@pytest.mark.parametrize(("scenario", "point", "times"), killing.EXACT)
def test_a_kill_at_an_exact_point_leaves_the_step_before_or_after_it(
    scenario, point, times, tmp_path
):
    count = killing.killed_at(tmp_path, scenario, point, times[-1:], 2000)
    assert count.lost == []
    assert count.survived == 1


def test_the_harness_sees_a_store_that_lost_an_acknowledged_step(tmp_path):
    count = killing.Count()
    life = killing.Life(tmp_path / "store", "write", 5, count)
    life.kill(("after the mark", 5))
    assert count.survived == 1
    life._step()  # the store in memory goes one step on, as if a durable one had been acknowledged
    life._step()
    assert any("neither as before" in one for one in life._reopened())


@pytest.mark.parametrize(("policy", "seen"), [("forget", False), ("mark", True)])
def test_the_harness_sees_an_insight_that_quotes_what_was_forgotten(
    policy, seen, tmp_path, monkeypatch
):
    rules = DOCUMENTED.change(forget_insights=policy)
    monkeypatch.setitem(steps.RULES, "reflect", rules)
    life = killing.Life(tmp_path / "store", "reflect", 5, killing.Count())
    with MemoryStore.open(life.folder, rules=rules, dimensions=steps.DIMENSIONS) as store:
        for number in range(30):
            steps.take(store, "reflect", 5, number)
            life._step()
        assert store.insights()
        assert bool(life._remains("now")) == seen
