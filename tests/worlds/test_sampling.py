"""The sampler against closed forms, and against plain loops that know the truth."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from hebb_lab.records import LAWS, Activity
from hebb_lab.worlds import PRESETS, parameters_from, world_graph
from hebb_lab.worlds.activity import DAY_US, ActiveClock
from hebb_lab.worlds.nature import draw_nature
from hebb_lab.worlds.sampling import sample
from tests.worlds import plain

AT_ONCE = {"birth_share": 1e-9}  # every edge is born in the first milliseconds of the log


def world(preset, seed=0, **changes):
    return world_graph(parameters_from(preset, **changes), np.random.default_rng(seed))


def counts(graph):
    return np.diff(graph.event_ptr.numpy()) - 1


def first_gaps_days(graph):
    first = graph.event_ptr.numpy()[:-1][counts(graph) > 0]
    time = graph.event_time.numpy()
    return (time[first + 1] - time[first]) / DAY_US


@pytest.mark.parametrize("activity", ["flat", "sessions", "vacations"])
def test_at_a_constant_rate_counts_are_poisson(activity):
    graph, truth = world(
        "frailty", edges=4000, days=140, frailty_shape=None, base_rate=0.03, activity=activity,
        birth_share=1 / 140,
    )  # fmt: skip
    seen = np.bincount(np.minimum(counts(graph), 10), minlength=11)
    start, level = truth.activity
    first_day = (np.clip(start, start[0], start[0] + DAY_US) - start[0]) / DAY_US
    born = (np.arange(500) + 0.5) / 500 * np.sum(level * np.diff(first_day))  # days of activity
    mean = 0.03 * (140 - born)[:, None]
    expected = stats.poisson.pmf(np.arange(11), mean).mean(axis=0)
    expected[-1] = stats.poisson.sf(9, mean).mean()
    assert stats.chisquare(seen, expected * 4000).pvalue > 0.01


def test_at_a_constant_rate_moments_are_uniform():
    graph, _ = world("frailty", edges=800, days=100, frailty_shape=None, **AT_ONCE)
    again = np.delete(graph.event_time.numpy(), graph.event_ptr.numpy()[:-1])
    share = (again - PRESETS["frailty"].start_us) / (100 * DAY_US)
    assert stats.kstest(share, "uniform").pvalue > 0.01


def test_frail_edges_have_negative_binomial_counts():
    shape, mean = 0.6, 0.06 * 100
    graph, _ = world("frailty", edges=4000, days=100, **AT_ONCE)
    seen = np.bincount(np.minimum(counts(graph), 20), minlength=21)
    expected = stats.nbinom.pmf(np.arange(21), shape, shape / (shape + mean))
    expected[-1] = 1 - expected[:-1].sum()
    assert stats.chisquare(seen, expected * 4000).pvalue > 0.01


def fading(days):
    """∫ of a weight of 0.3 with a half-life of 20 days, which is pruned below 0.01."""
    decays = np.minimum(days, 20 * math.log2(0.30 / 0.01))
    return 20 / math.log(2) * 0.30 * (1 - 2 ** (-decays / 20))


AREAS = {
    "exponential": fading,
    "none": lambda days: 0.30 * days,
    "power_law": lambda days: 2 * (np.sqrt(days + 0.5) - np.sqrt(0.5)),
    # personal: the default, 20 days, is fixed at birth and stays until the edge comes again
    "learned_observed": fading,
}


@pytest.mark.parametrize("law", LAWS)
def test_survival_to_the_first_re_activation_is_what_the_intensity_says(law):
    base_rate, gain = 0.01, 0.013 if law == "power_law" else 0.05
    graph, _ = world(
        "shared", edges=3000, days=1200, law=law, base_rate=base_rate, gain=gain,
        seed=LAWS.index(law), **AT_ONCE,
    )  # fmt: skip
    assert (counts(graph) > 0).all()
    gaps = first_gaps_days(graph)

    def falls(days):
        return 1 - np.exp(-base_rate * days - gain * AREAS[law](days))

    assert stats.kstest(gaps, falls).pvalue > 0.01
    wrong = stats.kstest(gaps, lambda days: 1 - np.exp(-base_rate * days))
    assert wrong.pvalue < 1e-6


@pytest.mark.parametrize("activity", ["flat", "vacations"])
@pytest.mark.parametrize("preset", ["half_lives", "frailty", "power_law", "heuristic", "shared"])
def test_in_expected_events_all_gaps_are_exponential(preset, activity):
    graph, truth = world(preset, edges=300, days=100, activity=activity, seed=3)
    found = plain.waits(graph, truth)
    assert len(found) == graph.event_count - graph.edge_count
    assert stats.kstest(found, "expon").pvalue > 0.01
    # one gap says nothing of the next
    assert stats.spearmanr(found[:-1], found[1:]).pvalue > 0.01


def test_the_test_of_gaps_sees_another_world():
    graph, truth = world("half_lives", edges=600, days=180, seed=3)
    assert stats.kstest(plain.waits(graph, truth), "expon").pvalue > 0.01
    assert stats.kstest(plain.waits(graph, truth, gain=1.3), "expon").pvalue < 1e-4


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_longer_log_begins_as_the_shorter_one(preset):
    """Shares and days are such that births end at the same moment."""
    short, truth = world(preset, edges=80, days=64, birth_share=0.75)
    long, same = world(preset, edges=80, days=128, birth_share=0.375)
    end = PRESETS[preset].start_us + 64 * DAY_US
    assert long.event_count > short.event_count
    assert short.event_time.max() < end
    for edge in range(80):
        ours, theirs = (
            g.event_time[g.event_ptr[edge] : g.event_ptr[edge + 1]] for g in (short, long)
        )
        assert ours.tolist() == theirs[theirs < end].tolist()
    np.testing.assert_array_equal(truth.half_life_days, same.half_life_days)
    np.testing.assert_array_equal(truth.base_rate, same.base_rate)


def clock_of(*levels):
    """A day at each level, four events a day where the level is 4."""
    start = PRESETS["tiny"].start_us + DAY_US * np.arange(len(levels) + 1)
    done = np.concatenate([[0.0], np.cumsum(levels)])
    return ActiveClock(Activity(start, np.array(levels, float)), done, start[:-1])


def test_activity_still_to_come_changes_nothing_before_it():
    short = parameters_from("half_lives", edges=50, base_rate=0.3, birth_share=0.5)
    long = dataclasses.replace(short, birth_share=0.25)
    nature = draw_nature(short, np.random.default_rng(1))
    now = sample(short, nature, clock_of(1, 0, 4, 2), np.random.default_rng(2))
    later = sample(long, nature, clock_of(1, 0, 4, 2, 0, 9, 9, 1), np.random.default_rng(2))
    before = later.time_us < short.start_us + 4 * DAY_US
    np.testing.assert_array_equal(now.time_us, later.time_us[before])
    np.testing.assert_array_equal(now.edge, later.edge[before])
    assert before.sum() < len(before)


@pytest.mark.parametrize("activity", ["sessions", "vacations"])
def test_nothing_happens_in_silence(activity):
    graph, truth = world("shared", edges=200, days=90, activity=activity)
    start, level = truth.activity
    span = np.searchsorted(start, graph.event_time.numpy(), side="right") - 1
    assert (level[span] > 0).all()
    assert (level == 0).any()


def test_every_edge_is_born_in_the_first_share_and_its_times_ascend():
    graph, _ = world("half_lives", edges=500, days=100, birth_share=0.3)
    first = graph.event_time.numpy()[graph.event_ptr.numpy()[:-1]]
    born = (first - PRESETS["half_lives"].start_us) / (100 * DAY_US)
    assert 0 <= born.min() < 0.01
    assert 0.29 < born.max() < 0.3
    assert stats.kstest(born / 0.3, "uniform").pvalue > 0.01
    time = np.sort(graph.event_time.numpy())
    assert (np.diff(time) >= 2).all()


def test_an_edge_too_frail_for_any_event_has_only_its_birth():
    with np.errstate(divide="raise", invalid="raise"):
        graph, truth = world("frailty", edges=300, frailty_shape=0.001)
    nothing = truth.base_rate < 1e-12
    assert nothing.sum() > 200
    assert (counts(graph)[nothing] == 0).all()


@pytest.mark.parametrize("preset", ["half_lives", "power_law"])
def test_twenty_thousand_edges_are_drawn_whole(preset):
    graph, truth = world(preset)
    assert graph.edge_count == len(truth.pairs) == 20_000
    assert graph.event_count > 40_000
