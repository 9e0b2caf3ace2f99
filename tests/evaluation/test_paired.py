"""p-values against full enumeration and scipy, and the cases that must not look like results."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hebb_lab.evaluation.paired import (
    benjamini_hochberg,
    cohens_dz,
    compare,
    holm,
    sign_flip_test,
    win_tie_loss,
)

DIFFERENCES = np.array([[0.5, 0.25, -0.25, 0.5, 0.25, 0.0, 0.25, 0.5]])
CLUSTER = np.array([3, 3, 9, 9, 1, 1, 4, 5])
chances = st.lists(st.floats(0, 1), min_size=1, max_size=8)


def test_p_is_that_of_all_flips_of_whole_clusters():
    sums = [DIFFERENCES[0, c == CLUSTER].sum() for c in np.unique(CLUSTER)]
    flipped = [abs(np.dot(signs, sums)) for signs in product([-1, 1], repeat=len(sums))]
    exact = np.mean(np.array(flipped) >= abs(sum(sums)))
    p = sign_flip_test(DIFFERENCES, CLUSTER, np.random.default_rng(0), flips=40_000)
    assert p[0] == pytest.approx(exact, abs=0.005)


def test_single_queries_as_clusters_agree_with_scipys_permutation_test():
    rng = np.random.default_rng(4)
    differences = rng.normal(0.3, 1, 30)
    oracle = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1
    ).pvalue
    p = sign_flip_test(differences[None], np.arange(30), np.random.default_rng(0), 20_000)
    assert p[0] == pytest.approx(oracle, abs=0.01)


def test_p_is_uniform_when_nothing_differs_but_noise():
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(30), 4)
    noise = rng.normal(size=(3000, 30)).repeat(4, axis=1) + rng.normal(size=(3000, 120))
    p = sign_flip_test(noise, cluster, rng, flips=999)
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.012)  # of single queries: 0.17
    assert stats.kstest(p, "uniform").pvalue > 0.01
    assert (sign_flip_test(noise, np.arange(120), rng, flips=999) < 0.05).mean() > 0.1


def test_p_never_reaches_zero_and_is_a_count_over_the_flips():
    p = sign_flip_test(np.ones((1, 60)), np.arange(60), np.random.default_rng(0), flips=99)
    assert p.tolist() == [0.01]


def test_no_difference_at_all_has_p_one_and_one_cluster_has_no_p():
    rng = np.random.default_rng(0)
    assert sign_flip_test(np.zeros((1, 3)), [1, 2, 3], rng).tolist() == [1.0]
    assert sign_flip_test(np.zeros((1, 3)), [1, 1, 1], rng).tolist() == [1.0]
    assert np.isnan(sign_flip_test(np.ones((1, 3)), [1, 1, 1], rng)).all()


def test_sums_in_another_order_count_as_equally_far_from_zero():
    thirds = np.full((1, 7), 1 / 3)
    one = sign_flip_test(thirds, np.arange(7), np.random.default_rng(0), 5000)
    three = sign_flip_test(3 * thirds, np.arange(7), np.random.default_rng(0), 5000)
    assert one.tolist() == three.tolist()


def test_holm_by_hand():
    assert holm([0.01, 0.02, 0.03, 0.04]).tolist() == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.5, np.nan, 0.6]).tolist() == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert holm([]).tolist() == []


@given(chances)
def test_benjamini_hochberg_is_scipys(p):
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), abs=1e-12)


@given(chances)
def test_holm_is_the_smallest_level_at_which_stepping_down_rejects(p):
    adjusted = holm(p)
    order = np.argsort(p, kind="stable")
    for place, index in enumerate(order):
        bonferronis = [p[i] * (len(p) - step) for step, i in enumerate(order[: place + 1])]
        assert adjusted[index] == pytest.approx(min(1, max(bonferronis)))


def test_dz_is_the_t_statistic_over_the_root_of_n():
    rng = np.random.default_rng(0)
    differences = rng.normal(0.2, 1, (2, 50))
    t = stats.ttest_1samp(differences, 0, axis=1).statistic
    assert cohens_dz([differences]) == pytest.approx(t / np.sqrt(50))


def test_dz_of_differences_that_do_not_vary_is_no_number():
    assert cohens_dz([np.zeros((1, 4))]).tolist() == [0.0]
    assert np.isnan(cohens_dz([np.full((1, 4), 0.1)])).all()
    assert np.isnan(cohens_dz([np.ones((1, 1))])).all()


def test_wins_ties_and_losses_add_up_to_the_queries():
    assert win_tie_loss(DIFFERENCES).tolist() == [[6, 1, 1]]


def test_a_comparison_says_what_may_be_said():
    rng = np.random.default_rng(0)
    base = rng.random(300)
    same, better, worse = base, base + rng.random(300), base - rng.random(300)
    noise = base + rng.normal(size=300) * 0.01
    scores = [base, same, better, worse, noise]
    found = compare([(scores, np.arange(300) // 3)], [-1, 0, 0, 0, 0], rng)
    assert found.verdicts() == ("no base", "no change", "better", "worse", "not shown")
    assert found.delta_interval[1].tolist() == [0.0, 0.0]
    assert found.wins[1].tolist() == [0, 300, 0]
    assert found.p[1] == 1.0
    assert (found.queries, found.clusters) == (300, 100)


def test_one_cluster_has_a_verdict_instead_of_numbers():
    found = compare([([[0, 0], [1, 0]], [7, 7])], [-1, 0], np.random.default_rng(0))
    assert found.verdicts()[1] == "one cluster: no interval and no test"
    assert found.delta[1] == 0.5
    assert np.isnan([*found.delta_interval[1], *found.interval[1], found.p[1]]).all()


def test_arms_may_have_different_bases():
    scores = np.arange(12.0).reshape(3, 4) ** 2
    found = compare([(scores, [0, 1, 2, 3])], [-1, 0, 1], np.random.default_rng(0))
    assert found.delta[1:].tolist() == np.diff(scores.mean(axis=1)).tolist()


def test_several_data_sets_count_alike_whatever_their_size():
    small = ([[0, 0], [1, 1]], [0, 1])
    large = ([[0] * 98, [0] * 97 + [1]], np.arange(98))
    found = compare([small, large], [-1, 0], np.random.default_rng(0))
    assert found.delta[1] == pytest.approx((1 + 1 / 98) / 2)
    assert found.wins[1].tolist() == [3, 97, 0]
    assert (found.queries, found.clusters) == (100, 2)


def test_the_same_seed_gives_the_same_numbers():
    scores = np.random.default_rng(0).random((3, 90))
    data = [(scores, np.arange(90) // 4)]
    one, two = (compare(data, [-1, 0, 0], np.random.default_rng(7)) for _ in range(2))
    assert one.delta_interval.tobytes() == two.delta_interval.tobytes()
    assert one.p.tobytes() == two.p.tobytes()
