"""Histories: who is exposed when, what a moment knows, and what is refused."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from tests.halflife.made import (
    CPU,
    DAY_US,
    START_US,
    edge_of,
    graph,
    history,
    moments,
    pairs,
    random_windows,
    window,
)

LOG = pairs((0, 0), (1, 1), (3, 0), (7, 1), (8, 2), (20, 0))
BUSY = random_windows(1, count=80)


def at(history, edge, *days):
    return history.asked(
        np.full(len(days), edge), START_US + np.round(np.array(days) * DAY_US).astype(np.int64)
    )


def test_a_recall_is_a_moment_at_which_anything_was_learned():
    found = history(LOG)
    assert found.recalls == 6
    assert found.reading.tolist() == [0, 1, 3, 7, 8, 20]
    assert found.birth()[[edge_of(found, 0, 1), edge_of(found, 4, 5)]].tolist() == [0, 4]


def test_the_first_event_of_an_edge_is_no_reactivation_and_later_ones_are_by_recall():
    found = history(LOG)
    assert len(found.reactivations(0, found.recalls)) == 3
    assert len(found.reactivations(0, 5)) == 2  # recall 5 is not seen
    assert found.event_recall[found.reactivations(3, 6)].tolist() == [5, 3]  # in edge order


def test_a_second_window_at_the_moment_of_birth_is_no_reactivation():
    twice = history([window(0, [2, 3]), window(1, [0, 1]), window(1, [0, 1]), window(5, [0, 1])])
    again = twice.reactivations(0, twice.recalls)
    assert twice.event_recall[again].tolist() == [2]


def test_what_weakens_is_no_reactivation():
    found = history([window(0, [0, 1]), window(1, [0, 1], strength=-0.1), window(2, [0, 1])])
    assert found.event_recall[found.reactivations(0, 3)].tolist() == [2]


def test_a_moment_sees_the_last_event_strictly_before_it():
    found = history(LOG)
    edge = edge_of(found, 0, 1)
    asked = at(found, edge, 0.5, 3, 3.5, 20, 400)
    assert (asked.event - found.pointer[edge]).tolist() == [0, 0, 1, 1, 2]
    assert asked.seen.tolist() == [1, 2, 3, 5, 6]
    assert asked.gap == pytest.approx([0.5, 3, 0.5, 17, 380])
    assert found.again(asked).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("windows", [LOG, pairs((0, 0), (1, 0))])
def test_an_edge_cannot_be_asked_about_before_or_at_its_birth(windows):
    found = history(windows)
    for edge in (0, found.edges - 1):
        born = found.recall_us[found.birth()[[edge]]]
        with pytest.raises(InputError, match="before it was first seen"):
            found.asked(np.array([edge]), born)


def test_the_moment_of_an_event_is_the_same_by_number_and_by_time():
    found = history(random_windows(3))
    events = found.reactivations(0, found.recalls)
    by_number = found.at_events(events)
    by_time = found.asked(found.edge_of[events], found.recall_us[found.event_recall[events]])
    for one, two in zip(by_number, by_time, strict=True):
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-12)


def test_age_counts_the_recalls_or_the_days_since_birth():
    found, timed = history(LOG), history(LOG, activity="none")
    edge = edge_of(found, 2, 3)
    assert found.age(at(found, edge, 1.5, 7, 7.5, 30)).tolist() == [0, 1, 2, 4]
    assert timed.age(at(timed, edge, 1.5, 7, 7.5, 30)) == pytest.approx([0.5, 6, 6.5, 29])


def test_a_forecast_goes_on_at_the_speed_of_the_last_four_weeks_and_a_little_of_all():
    found = history(pairs(*[(day, 0) for day in [0, 1, 2, 50, 60, 62, 64, 65]]))
    clock, exposure = found.ahead(at(found, 0, 70), 7.0)
    assert clock == pytest.approx([7.0])
    # five recalls in days 42 to 70, and two days at 8 recalls in 70
    assert exposure == pytest.approx([7.0 * (5 + 2 * 8 / 70) / 30])


def test_after_a_long_silence_work_is_still_possible():
    found = history(pairs((0, 0), (1, 0), (2, 0), (300, 0)))
    _, exposure = found.ahead(at(found, 0, 200), 7.0)
    assert exposure == pytest.approx([7.0 * (2 * 3 / 200) / 30])


def test_a_forecast_in_the_first_days_knows_only_these_days():
    found = history(pairs(*[(day, 0) for day in [0, 1, 2, 3]]), clock="active_days")
    clock, exposure = found.ahead(at(found, 0, 4), 10.0)
    assert clock == pytest.approx([10.0])
    assert exposure == pytest.approx([10.0])  # four recalls in four days


def test_weakenings_are_no_activations():
    windows = [window(0, [0, 1]), window(1, [0, 1]), window(2, [0, 1], strength=-0.2),
               window(3, [0, 1]), window(4, [2, 3])]  # fmt: skip
    found = history(windows)
    edge = edge_of(found, 0, 1)
    assert found.again(at(found, edge, 0.5, 1.5, 2.5, 3.5)).tolist() == [0, 1, 1, 2]


def test_a_forecast_in_active_days_knows_that_there_are_days_off():
    worked = [week * 7 + day for week in range(8) for day in range(5)]
    found = history(pairs(*[(day, 0) for day in worked]), clock="active_days")
    clock, exposure = found.ahead(at(found, 0, 49), 14.0)
    assert clock == pytest.approx([10.0])
    assert exposure == pytest.approx([10.0])


def test_what_a_moment_knows_is_that_of_a_log_that_ends_before_it():
    whole = history(BUSY)
    for cut in (20, 45):
        short = history(BUSY[:cut])
        now = short.recall_us[-1] + 1
        for nodes in ((0, 1), (2, 5), (3, 4)):
            one = short.asked(np.array([edge_of(short, *nodes)]), np.array([now]))
            later = whole.recall_us > now
            two = whole.asked(np.array([edge_of(whole, *nodes)]), np.array([now]))
            assert later.any()
            assert one.gap == two.gap
            assert one.seen == two.seen
            assert short.again(one) == whole.again(two)
            assert short.age(one) == whole.age(two)
            for mine, theirs in zip(short.ahead(one, 7.0), whole.ahead(two, 7.0), strict=True):
                assert mine == theirs


def test_the_first_days_of_a_burn_in_build_up_weights_and_count_for_nothing_else():
    found = history(LOG, burn_in_days=3.0)
    assert found.entry == 2
    assert found.event_recall[found.reactivations(0, 6)].tolist() == [2, 5, 3]
    late = history(LOG, burn_in_days=3.5)
    assert late.event_recall[late.reactivations(0, 6)].tolist() == [5, 3]


def test_weights_fade_on_the_clock_that_was_asked_for():
    windows = pairs((0.1, 0), (9.1, 0))
    found = history(windows, clock="active_days")
    # the rest of the first day; the second begins with its recall
    assert found.at_events(found.reactivations(0, 2)).gap == pytest.approx([0.9])
    assert np.diff(found.arrays().time) == pytest.approx([0.9 * DAY_US])


def test_half_lives_may_be_grouped_by_namespace_or_also_by_top_folder():
    windows = [window(0, [0, 1], 0), window(1, [2, 3], 1), window(2, [0, 2], 0)]
    by_space = history(windows)
    assert by_space.groups == ("personal", "shared")
    assert by_space.group_namespace == by_space.groups
    record = graph(windows, 4)
    named = type(record)(**{**record.__dict__, "nodes": ("a/x", "a/y", "b/x", "top")})
    from hebb_lab.graph.rules import DOCUMENTED
    from hebb_lab.halflife.facts.history import history_of

    by_folder = history_of(named, DOCUMENTED, CPU, group_by="folder")
    assert by_folder.groups == ("personal:(across)", "personal:a", "shared:(across)")
    assert by_folder.group_namespace == ("personal", "personal", "shared")
    ends = named.edge_index.numpy().T.tolist()
    names = dict(zip(map(tuple, ends), (by_folder.groups[g] for g in by_folder.group), strict=True))
    assert names == {
        (0, 1): "personal:a", (0, 2): "personal:(across)", (2, 3): "shared:(across)"
    }  # fmt: skip


def test_the_kernels_are_given_the_groups_as_namespaces():
    found = history([window(0, [0, 1], 2), window(1, [2, 3], 1)])
    assert found.groups[found.arrays().namespace[edge_of(found, 2, 3)]] == "shared"


def test_a_log_without_a_pair_says_so():
    with pytest.raises(InputError, match="nothing to fit"):
        history([window(0, [0]), window(1, [1])])


def test_a_burn_in_longer_than_the_log_says_so():
    with pytest.raises(InputError, match="burn_in_days=21"):
        history(LOG, burn_in_days=21.0)


def test_an_unknown_grouping_is_refused():
    with pytest.raises(ConfigError, match="namespace, folder"):
        history(LOG, group_by="colour")


def test_moments_of_nothing_are_nothing():
    found = history(LOG)
    assert len(moments(found, 0, np.empty(0, np.int64)).edge) == 0
