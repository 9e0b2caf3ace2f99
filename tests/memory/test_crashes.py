"""Processes that are killed: what was acknowledged is there, what was forgotten is not."""

import pytest

from tests.memory.crash import killing


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
