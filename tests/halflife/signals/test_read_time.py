"""A half-life that is read at the moment: against the reference kernel, sums and areas."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.models.heuristic import learned_by_rule
from hebb_lab.halflife.signals.read_time import ReadTime
from hebb_lab.kernels.parameters import rule_arrays
from tests.halflife.made import DAY_US, exposed, history, moments, random_windows
from tests.kernels.backends import REFERENCE, made

MEANING = made(REFERENCE)
LOG = random_windows(61, 300, nodes=9, spaces=(0, 1, 2))


def signal_of(found):
    signal = learned_by_rule(found, "learned")
    assert isinstance(signal, ReadTime)
    return signal


@pytest.mark.parametrize("rules", [DOCUMENTED, DOCUMENTED.change(ephemeral_floor=False)])
def test_the_weight_at_any_moment_is_what_the_reference_kernel_reads(rules):
    found = history(LOG, rules)
    signal = signal_of(found)
    traces, _ = rule_arrays([found.rules.change(half_life="learned")], found.group_namespace)
    days = np.array([3.0, 30.0, 90.5, 200.0, 400.0, 900.0])
    times = np.round(days * DAY_US).astype(np.int64)
    expected = MEANING.weights_at(found.arrays(), traces, times).weight
    born = found.recall_us[found.birth()]
    for moment, wanted in zip(times, expected, strict=True):
        now = found.recall_us[0] + moment
        known = np.flatnonzero(born < now)
        got = signal.at(found.asked(known, np.full(len(known), now)))
        np.testing.assert_allclose(got, wanted[known], rtol=1e-10, atol=1e-12)


def test_right_after_an_event_the_half_life_is_the_learned_one_and_long_after_the_default():
    found = history(LOG)
    signal = signal_of(found)
    edge = int(np.flatnonzero(found.group == found.groups.index("personal"))[0])
    last = found.pointer[edge + 1] - 1
    count = signal.count[last, 0]
    ratio = np.log(1 + count / 10)
    learned = 3.0 + (120.0 - 3.0) * ratio / (1 + ratio)
    assert signal.half_life_of(np.array([last]))[0] == pytest.approx(np.clip(learned, 3, 120))
    late = found.asked(np.array([edge]), found.recall_us[-1:] + 3000 * DAY_US)
    assert signal.half_life_at(late)[0] == pytest.approx(30.0)


@pytest.mark.parametrize("until", [40, 150, 300])
def test_an_exposure_by_strata_is_within_two_per_cent_of_the_sum_over_all_recalls(until):
    found = history(LOG)
    signal = signal_of(found)
    got = signal.exposure(until)[:, 0]
    expected = np.array([
        signal.at(moments(found, edge, exposed(found, edge, until))).sum()
        for edge in range(found.edges)
    ])  # fmt: skip
    assert got.sum() == pytest.approx(expected.sum(), rel=0.02)
    np.testing.assert_allclose(got, expected, rtol=0.2, atol=0.3)


def test_an_exposure_in_time_is_within_two_per_cent_of_the_integral():
    found = history(LOG, activity="none")
    signal = signal_of(found)
    got, total = signal.exposure(300)[:, 0], np.zeros(found.edges)
    for edge in range(found.edges):
        born, end = found.recall_us[found.birth()[edge]], found.recall_us[-1]
        if born == end:
            continue
        steps = (np.arange(20_000) + 0.5) / 20_000
        times = born + 1 + (steps * (end - born)).astype(np.int64)
        values = signal.at(found.asked(np.full(len(times), edge), times))
        total[edge] = values.mean() * (end - born) / DAY_US
    assert got.sum() == pytest.approx(total.sum(), rel=0.02)
    np.testing.assert_allclose(got, total, rtol=0.1, atol=0.3)


def test_an_area_ahead_is_the_integral_of_the_weight():
    found = history(LOG)
    signal = signal_of(found)
    now = np.full(found.edges, found.recall_us[-1] + DAY_US)
    asked = found.asked(np.arange(found.edges), now)
    got = signal.area(asked, np.full(found.edges, 7.0))[:, 0]
    steps = (np.arange(2_000) + 0.5) / 2_000 * 7 * DAY_US
    for edge in range(found.edges):
        later = found.asked(np.full(2_000, edge), now[edge] + steps.astype(np.int64))
        assert got[edge] == pytest.approx(signal.at(later).mean() * 7, rel=0.02, abs=0.02)
