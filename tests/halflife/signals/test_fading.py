"""Signals at any moment, against the reference kernels; exposure, against adding up all recalls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.signals import decay, fading
from hebb_lab.halflife.signals.fading import (
    at_half_lives,
    by_event,
    by_group,
    exposures_on_grid,
    gaps,
)
from hebb_lab.kernels.parameters import rule_arrays
from tests.halflife.made import (
    CPU,
    DAY_US,
    QUIET,
    exposed,
    history,
    moments,
    pairs,
    random_windows,
    window,
)
from tests.kernels.backends import REFERENCE, made
from tests.kernels.logs import point_process_rules, window_lists

MEANING = made(REFERENCE)
LIVES = np.array([0.02, 0.7, 6.0, 90.0, 2000.0])


def traces(found, lives=LIVES):
    """The history's rules with the half-lives as the kernels take them."""
    arrays, _ = rule_arrays([found.rules] * len(lives), found.group_namespace)
    return arrays._replace(
        default_days=np.ascontiguousarray(np.repeat(lives[:, None], len(found.groups), 1))
    )


def pairs_of_nodes(windows):
    return any(len(members) > 1 for _, members, _, _ in windows)


logs = window_lists().filter(pairs_of_nodes)


@QUIET
@given(logs, point_process_rules(), st.lists(st.floats(0.0, 300.0), min_size=1, max_size=5))
def test_a_signal_at_any_moment_is_what_the_reference_kernel_reads(windows, rules, days):
    found = history(windows, rules)
    signal = by_group(found, LIVES)
    on_clock = np.unique(np.round(np.array(days) * DAY_US).astype(np.int64))
    expected = MEANING.weights_at(found.arrays(), traces(found), on_clock).weight
    born = found.recall_us[found.birth()]
    for moment, wanted in zip(on_clock, expected, strict=True):
        time = found.recall_us[0] + moment
        known = np.flatnonzero(born < time)
        asked = found.asked(known, np.full(len(known), time))
        np.testing.assert_allclose(signal.at(asked), wanted[known], rtol=1e-10, atol=1e-13)


def test_a_signal_at_an_event_is_the_weight_that_replay_found_there():
    found = history(random_windows(0, count=200, spaces=(0, 1, 2)))
    signal = by_group(found, LIVES)
    events = found.reactivations(0, found.recalls)
    got = signal.at(found.at_events(events))
    np.testing.assert_allclose(got, signal.before[events], rtol=1e-10, atol=1e-13)


def brute_exposure(found, signal, until):
    """Σ of the signal over all recalls that each edge is exposed in."""
    sums = np.zeros((found.edges, signal.width))
    for edge in range(found.edges):
        sums[edge] = signal.at(moments(found, edge, exposed(found, edge, until))).sum(axis=0)
    return sums


@QUIET
@given(logs, point_process_rules(), st.integers(1, 14), st.sampled_from([0.0, 0.0, 3.0]))
def test_an_exposure_is_the_sum_of_the_signal_over_all_recalls(windows, rules, until, burn_in):
    burn_in = burn_in if (windows[-1][0] - windows[0][0]) > 6 * DAY_US else 0.0
    try:
        found = history(windows, rules, burn_in_days=burn_in)
    except Exception:  # the pairs may all lie in the first days
        return
    signal, until = by_group(found, LIVES), min(until, found.recalls)
    expected = brute_exposure(found, signal, until)
    np.testing.assert_allclose(signal.exposure(until), expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("clock", ["wall", "active_days"])
def test_an_exposure_over_a_long_log_with_silences_is_the_sum_too(clock):
    found = history(random_windows(5, 400, nodes=10, spaces=(0, 1, 2), ties=0.1), clock=clock)
    signal = by_group(found, LIVES)
    for until in (1, 150, found.recalls):
        expected = brute_exposure(found, signal, until)
        np.testing.assert_allclose(signal.exposure(until), expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("rules", [
    DOCUMENTED, DOCUMENTED.change(potentiation=False), DOCUMENTED.change(ephemeral_floor=False),
    DOCUMENTED.change(floor_lifts=True, potentiation_count=2, prune_below=0.0),
    DOCUMENTED.change(weight_cap=None, learning_rate=0.07),
])  # fmt: skip
def test_the_likelihood_of_time_is_that_of_the_kernels(rules):
    found = history(random_windows(2, 300, spaces=(0, 0, 2)), rules, activity="none")
    signal, until = by_group(found, LIVES), found.recalls - 1
    mu, beta = np.full(len(LIVES), 0.003), np.full(len(LIVES), 0.07)
    end = int(found.arrays().time.max())  # events from there on do not count
    expected = MEANING.log_likelihood(found.arrays(), traces(found), mu, beta, end)
    events = found.reactivations(0, until)
    logs = np.zeros_like(expected)
    np.add.at(logs, found.edge_of[events], np.log(mu + beta * signal.before[events]))
    days = np.maximum(found.reading[until] - found.reading[found.birth()], 0.0)[:, None]
    mine = logs - mu * days - beta * signal.exposure(until)
    np.testing.assert_allclose(mine, expected, rtol=1e-12, atol=1e-10)


def test_an_area_ahead_is_what_exposure_in_time_will_be_if_nothing_happens():
    found = history(pairs((0, 0), (1, 0), (2.5, 0), (2.6, 1), (40, 1)), activity="none")
    signal = by_group(found, LIVES)
    asked = found.asked(np.array([0]), found.recall_us[[3]])
    ahead = found.reading[4] - found.reading[3]
    one = signal.area(asked, np.array([ahead]))[0]
    two = signal.exposure(4)[0] - signal.exposure(3)[0]
    np.testing.assert_allclose(one, two, rtol=1e-12)


@pytest.mark.parametrize("activity", ["recalls", "none"])
def test_an_exposure_until_a_recall_knows_nothing_of_what_comes_later(activity):
    windows = random_windows(7, 120, spaces=(0, 1))
    whole = history(windows, activity=activity)
    for until in (10, 60):
        short = history(windows[: until + 1], activity=activity)
        one, two = by_group(whole, LIVES).exposure(until), by_group(short, LIVES).exposure(until)
        known = whole.birth() <= until
        assert (one[~known] == 0).all()
        np.testing.assert_allclose(one[known], two, rtol=1e-12, atol=1e-12)


def test_exposure_in_recalls_ends_with_the_last_recall_that_may_be_seen():
    windows = random_windows(8, 90)
    whole, short = history(windows), history(windows[:40])
    known = whole.birth() < 40
    one, two = (by_group(log, LIVES).exposure(40) for log in (whole, short))
    np.testing.assert_allclose(one[known], two, rtol=1e-12, atol=1e-12)


def test_exposures_of_blocks_add_up_to_that_of_the_log():
    windows = random_windows(9, 150)
    whole = history(windows)
    day = (whole.recall_us[70] - whole.recall_us[0]) / DAY_US
    late = history(windows, burn_in_days=float(day))
    assert late.entry == 70
    first, second = by_group(whole, LIVES).exposure(70), by_group(late, LIVES).exposure(150)
    both = by_group(whole, LIVES).exposure(150)
    np.testing.assert_allclose(first + second, both, rtol=1e-9, atol=1e-10)


def test_each_group_fades_with_its_own_half_life():
    windows = [window(0, [0, 1], 0), window(0.5, [2, 3], 1), window(10, [4, 5], 0)]
    found = history(windows)
    lives = np.array([[1.0, 5.0], [10.0, 1e15]])  # personal, shared
    signal = by_group(found, lives)
    late = found.asked(np.array([0, 1]), found.recall_us[[2, 2]])
    order = [found.groups.index(name) for name in ("personal", "shared")]
    assert order == [0, 1]
    expected = 0.3 * 2.0 ** -np.array([[10 / 1.0, 10 / 5.0], [9.5 / 10.0, 0.0]])
    expected[expected < 0.01] = 0
    np.testing.assert_allclose(signal.at(late), expected, rtol=1e-12)


def test_a_half_life_of_ages_never_fades_and_its_exposure_counts_the_recalls():
    found = history(pairs((0, 0), (1, 1), (900, 0), (1000, 1), (5000, 1)))
    signal = by_group(found, np.array([1e15]))
    edge = 0
    assert signal.at(moments(found, edge, np.array([4])))[0, 0] == pytest.approx(0.6)
    assert signal.exposure(5)[edge, 0] == pytest.approx(0.3 + 0.3 + 0.6 + 0.6)


def test_gaps_of_an_edge_tile_its_exposure():
    found = history(random_windows(4, 100, ties=0.1))
    events = np.flatnonzero(found.event_recall < 80)
    start, stop = gaps(found, events, 80)
    lengths = np.bincount(found.edge_of[events], stop - start, minlength=found.edges)
    expected = [len(exposed(found, edge, 80)) for edge in range(found.edges)]
    assert lengths.tolist() == expected


def test_a_replay_that_was_made_once_is_kept():
    found = history(random_windows(4))
    assert by_group(found, LIVES) is by_group(found, LIVES)
    assert by_group(found, LIVES) is not by_group(found, LIVES * 2)
    assert found.backend is CPU


def test_half_lives_of_events_are_those_of_groups_where_they_are_equal():
    found = history(random_windows(12, 200, spaces=(0, 1, 2)), DOCUMENTED.change(floor_lifts=True))
    kept = np.exp(np.rint(np.log([3.0, 40.0, 0.5]) / 0.01) * 0.01)  # to one per cent
    one = by_event(found, kept[found.group[found.edge_of]])
    two = by_group(found, kept[:, None])
    np.testing.assert_allclose(one.weight, two.weight, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(one.before, two.before, rtol=1e-10, atol=1e-13)
    assert (one.count == two.count).all()
    np.testing.assert_allclose(one.exposure(150), two.exposure(150), rtol=1e-9, atol=1e-11)
    late = found.asked(np.arange(found.edges), np.full(found.edges, found.recall_us[-1] + DAY_US))
    np.testing.assert_allclose(one.at(late), two.at(late), rtol=1e-10, atol=1e-13)


def test_an_event_may_end_all_fading_of_its_edge():
    found = history(pairs((0, 0), (1, 0), (900, 1), (1000, 0)))
    lives = np.where(found.event_recall == 1, np.inf, 2.0)
    signal = by_event(found, lives)
    kept = 0.3 * 2.0 ** (-1 / signal.half_life[0, 0]) + 0.3
    events = found.reactivations(0, found.recalls)
    late = events[found.event_recall[events] == 3]
    assert signal.before[late, 0] == pytest.approx([kept])
    assert signal.exposure(4)[0, 0] == pytest.approx(kept - 0.3 + 2 * kept)


def test_many_half_lives_a_few_at_a_time_give_what_all_at_once_give():
    found = history(random_windows(13, 150, spaces=(0, 1)))
    lives = np.geomspace(0.05, 500, 19)
    signal, events = by_group(found, lives), found.reactivations(0, 120)
    asked = found.at_events(events)
    np.testing.assert_allclose(at_half_lives(found, lives, asked), signal.at(asked), rtol=1e-12)
    exposures, weights = exposures_on_grid(found, lives, 120)
    np.testing.assert_allclose(exposures, signal.exposure(120), rtol=1e-12)
    np.testing.assert_allclose(weights, signal.before[events], rtol=1e-12)


def test_what_threads_share_out_does_not_depend_on_how(monkeypatch):
    found = history(random_windows(17, 200, spaces=(0, 1)))
    lives = np.geomspace(0.05, 500, 5)
    signal = by_group(found, lives)
    asked = found.at_events(found.reactivations(0, 150))
    ahead = np.linspace(0.1, 9.0, len(asked.edge))
    whole = signal.at(asked), signal.area(asked, ahead), signal.exposure(150)
    for room in (fading, decay):
        monkeypatch.setattr(room, "PIECE", 7)
    parts = signal.at(asked), signal.area(asked, ahead), signal.exposure(150)
    assert all((one == other).all() for one, other in zip(whole, parts, strict=True))
