"""Exposure so far: sums over all recalls before a moment, and nothing of what comes after."""

import numpy as np
import pytest

from hebb_lab.halflife.signals.fading import by_group
from hebb_lab.halflife.signals.so_far import SoFar
from tests.halflife.made import history, random_windows

LIVES = np.array([0.05, 3.0, 400.0])


def asked_late(found, seed=0, count=60):
    """Random moments of random edges, each after its edge's birth."""
    rng = np.random.default_rng(seed)
    edge = rng.integers(0, found.edges, count)
    born = found.recall_us[found.birth()[edge]]
    end = found.recall_us[-1]
    return found.asked(edge, born + 1 + (rng.random(count) * (end - born)).astype(np.int64))


@pytest.mark.parametrize("burn_in_days", [0.0, 15.0])
@pytest.mark.parametrize("activity", ["recalls", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_a_moment_has_seen_what_the_log_cut_there_says(seed, activity, burn_in_days):
    windows = random_windows(seed)
    whole = history(windows, activity=activity, burn_in_days=burn_in_days)
    so_far = SoFar.of(by_group(whole, LIVES))
    fading = so_far.fading
    for until in (20, 35, 50):
        if until <= whole.entry:
            continue
        known = np.flatnonzero(whole.birth() < until)
        last = until - 1 if activity == "recalls" else until
        asked = whole.asked(known, np.full(len(known), whole.recall_us[last] + (last < until)))
        expected = fading.exposure(until)[known]
        if activity == "recalls":
            np.testing.assert_allclose(so_far.weight(asked), expected, rtol=1e-9, atol=1e-9)
        events = whole.reactivations(0, until)
        counts = np.bincount(whole.edge_of[events], minlength=whole.edges)[known]
        if activity == "recalls":
            assert so_far.again(asked).tolist() == counts.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_exposure_in_recalls_is_the_weight_summed_over_them(seed):
    found = history(random_windows(seed))
    so_far = SoFar.of(by_group(found, LIVES))
    asked = asked_late(found, seed)
    expected = np.zeros((len(asked.edge), len(LIVES)))
    for row, edge in enumerate(asked.edge):
        passed = np.arange(found.birth()[edge] + 1, asked.seen[row])
        if len(passed):
            at = found.asked(np.full(len(passed), edge), found.recall_us[passed])
            expected[row] = so_far.fading.at(at).sum(axis=0)
    np.testing.assert_allclose(so_far.weight(asked), expected, rtol=1e-9, atol=1e-9)
    passed = asked.seen - 1 - found.birth()[asked.edge]
    assert so_far.exposed(asked).tolist() == passed.tolist()


def test_what_comes_later_changes_no_bit():
    windows = random_windows(5, count=80)
    part, whole = (history(some + windows[:1]) for some in (windows[:50], windows))
    moments = asked_late(part)
    names = [tuple(part.graph.edge_index.numpy()[:, edge]) for edge in moments.edge]
    ends = whole.graph.edge_index.numpy().T.tolist()
    edge = np.array([ends.index([int(a), int(b)]) for a, b in names])
    later = whole.asked(edge, moments.time_us)
    one, two = (
        SoFar.of(by_group(found, LIVES)).weight(asked)
        for found, asked in ((part, moments), (whole, later))
    )
    assert (one == two).all()
