"""Terms of an intensity: their exposure by brute force, and what they see ahead."""

import numpy as np
import pytest
from scipy.integrate import quad

from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.terms import Constant, Decaying, Design, Rate
from tests.halflife.made import DAY_US, START_US, exposed, history, moments, pairs, random_windows

LIVES = np.array([0.5, 20.0])
LOG = random_windows(11, 200, spaces=(0, 1), ties=0.1)


def design_of(found):
    rate = Rate(found, np.array([0.4, 2.0]), np.array([0.7, 30.0]))
    mix = np.array([[0.2], [0.8]])
    faded = by_group(found, LIVES)
    return Design([
        Constant(found), rate, Decaying(faded, names=("short", "long")),
        Decaying(faded, mix, ("mixed",)),
    ])  # fmt: skip


@pytest.mark.parametrize("burn_in", [0.0, 25.0])
def test_every_exposure_is_the_sum_of_the_term_over_all_recalls(burn_in):
    found = history(LOG, burn_in_days=burn_in)
    design = design_of(found)
    assert design.names == ("constant", "rate", "short", "long", "mixed")
    for until in (5, 90, found.recalls):
        got = design.exposure(until)
        for edge in range(found.edges):
            expected = design.at(moments(found, edge, exposed(found, edge, until))).sum(axis=0)
            np.testing.assert_allclose(got[edge], expected, rtol=1e-9, atol=1e-10)


def test_the_rate_of_an_edge_is_its_count_over_its_age():
    found = history(pairs((0, 0), (1, 0), (2, 1), (3, 0), (5, 1)))
    rate = Rate(found, np.array([2.0]), np.array([10.0]))
    asked = moments(found, 0, np.array([1, 2, 3, 4]))
    # before the recall: re-activations so far 0, 1, 1, 2; recalls so far 0, 1, 2, 3
    assert rate.at(asked)[:, 0].tolist() == [2 / 10, 3 / 11, 3 / 12, 4 / 13]


def test_in_time_the_exposure_of_a_rate_is_its_integral():
    found = history(pairs((0, 0), (4, 0), (5, 1), (9, 0), (30, 1)), activity="none")
    rate = Rate(found, np.array([0.4]), np.array([3.0]))
    expected = sum(
        quad(lambda t, n=n: (0.4 + n) / (3.0 + t), first, last)[0]
        for n, first, last in ((0, 0, 4), (1, 4, 9), (2, 9, 30))
    )
    assert rate.exposure(5)[0, 0] == pytest.approx(expected, rel=1e-9)
    assert Constant(found).exposure(5)[:, 0] == pytest.approx([30, 25])


def test_what_is_forecast_is_the_integral_over_what_is_forecast():
    found = history(LOG, activity="none")
    design = design_of(found)
    last = found.recall_us[-1]
    asked = found.asked(np.arange(found.edges), np.full(found.edges, last + DAY_US))
    got = design.ahead(asked, 7.0)
    parts = 2000
    steps = (np.arange(parts) + 0.5) / parts * 7 * DAY_US
    for edge in range(0, found.edges, 5):
        times = asked.time_us[edge] + steps.astype(np.int64)
        later = design.at(found.asked(np.full(parts, edge), times))
        np.testing.assert_allclose(got[edge], later.mean(axis=0) * 7, rtol=1e-3)


def test_in_recalls_the_forecast_counts_the_recalls_to_come():
    found = history(pairs(*[(day, day % 2) for day in range(29)]))
    asked = found.asked(np.array([0, 1]), np.full(2, found.recall_us[-1]))
    design = Design([Constant(found), Rate(found, np.array([1.0]), np.array([5.0]))])
    got = design.ahead(asked, 7.0)
    assert got[:, 0] == pytest.approx([7.0, 7.0])
    age = np.array([27.0, 26.0])
    expected = (1.0 + np.array([13, 13])) * np.log1p(7 / (5 + age))
    assert got[:, 1] == pytest.approx(expected)


def test_where_the_clock_never_moved_weights_stand_and_nothing_is_divided_by_it():
    found = history(
        pairs((0.1, 0), (0.2, 1), (0.3, 0), (30, 1)), clock="sessions", forecast_days=1.0,
        session_us=START_US + np.array([0, 40]) * DAY_US,
    )  # fmt: skip
    asked = found.asked(np.array([0]), found.recall_us[:1] + 20 * DAY_US)
    clock, exposure = found.ahead(asked, 7.0)
    assert clock[0] == 0
    weights = by_group(found, np.array([2.0]))
    expected = weights.at(asked) * exposure
    np.testing.assert_allclose(Decaying(weights).ahead(asked, 7.0), expected)
