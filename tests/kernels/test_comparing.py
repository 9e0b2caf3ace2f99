"""The conformance suite can fail: what it must refuse, and the little it must not."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Found
from tests.kernels.backends import REFERENCE, made
from tests.kernels.comparing import assert_same, assert_same_found, nudged, steady
from tests.kernels.logs import DAY_US, START_US, case_of

WINDOWS = [(START_US, [0, 1, 2], 1.0, 0), (START_US + 9 * DAY_US, [0, 1], 0.5, 0)]
CASE = case_of(WINDOWS, [DOCUMENTED, OBSERVED])


def replayed(traces):
    return made(REFERENCE).replay(CASE.graph, traces, before=True)


@pytest.mark.parametrize("field", ["weight", "half_life_days", "before"])
def test_a_state_that_is_wrong_by_one_part_in_1e9_is_refused(field):
    want, good = steady("cpu", CASE.traces, replayed)
    assert_same(want, want, good, "cpu")
    wrong = getattr(want, field).copy()
    wrong[np.unravel_index(wrong.argmax(), wrong.shape)] *= 1 + 1e-9
    with pytest.raises(AssertionError, match=field):
        assert_same(want._replace(**{field: wrong}), want, good, "cpu")


def test_snapshots_that_are_wrong_by_one_part_in_1e9_are_refused():
    times = np.array([START_US + DAY_US])
    want, good = steady(
        "cpu", CASE.traces, lambda t: made(REFERENCE).weights_at(CASE.graph, t, times)
    )
    with pytest.raises(AssertionError, match="weight"):
        assert_same(want._replace(weight=want.weight * (1 + 1e-9)), want, good, "cpu")
    with pytest.raises(AssertionError, match="alive"):
        assert_same(want._replace(alive=~want.alive), want, good, "cpu")


def test_float32_is_held_to_one_part_in_1e5():
    want, good = steady("cpu float32", CASE.traces, replayed)
    assert all(part.all() for part in good)
    assert_same(want._replace(weight=want.weight * (1 + 9e-6)), want, good, "cpu float32")
    with pytest.raises(AssertionError, match="weight"):
        assert_same(want._replace(weight=want.weight * (1 + 2e-5)), want, good, "cpu float32")


def test_float32_is_not_asked_where_the_last_bit_decides():
    """A weight that is pruned or not by one part in a million."""
    edge = nudged(CASE.traces, 0.0)._replace(prune_below=np.array([0.3 * 2 ** (-9 / 30), 0.01]))
    edge = edge._replace(half_life_mode=np.zeros(2, np.int64))
    _, good = steady("cpu float32", edge, replayed)
    assert good.reinforcements[:, 1].all()
    assert not good.reinforcements[1, 0]
    assert all(part.all() for part in steady("cpu", edge, replayed)[1])


def found(ids, scores, edges=3):
    return Found(np.array([[ids]], np.int32), np.array([[scores]], np.float32), np.array([[edges]]))


WANT = found([7, 3, 5, -1], [0.5, 0.25, 0.125, -np.inf])


@pytest.mark.parametrize(
    "wrong",
    [
        found([3, 7, 5, -1], [0.5, 0.25, 0.125, -np.inf]),
        found([7, 3, 4, -1], [0.5, 0.25, 0.125, -np.inf]),
        found([7, 3, -1, -1], [0.5, 0.25, -np.inf, -np.inf]),
        found([7, 3, 5, 1], [0.5, 0.25, 0.125, 1e-9]),
        found([7, 3, 5, -1], [0.5, 0.25 * (1 + 1e-6), 0.125, -np.inf]),
        found([7, 3, 5, -1], [0.5, 0.25, 0.125, -np.inf], edges=4),
    ],
    ids=["order", "another node", "one too few", "one too many", "score", "edges read"],
)
def test_another_ranking_is_refused(wrong):
    assert_same_found(WANT, WANT, "cpu")
    with pytest.raises(AssertionError):
        assert_same_found(wrong, WANT, "cpu")


def test_scores_that_rounding_parted_may_change_places_and_equal_ones_may_not():
    up = float(np.nextafter(np.float32(0.5), np.float32(1)))
    tied = found([7, 3], [0.5, 0.5])
    assert_same_found(found([3, 7], [up, 0.5]), tied, "cpu")
    assert_same_found(found([7, 2], [0.5, 0.5]), tied, "cpu")  # cut through a tie
    with pytest.raises(AssertionError):
        assert_same_found(found([3, 7], [0.5, 0.5]), tied, "cpu")
