"""The composite score: numbers of the engine's own tests, and each of its switches."""

import numpy as np
import pytest

from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.strategies.score import DAY_US, composite, recency, reinforcement

NOW = 1000 * DAY_US


def score(
    relevance=0.8, age_days=0.0, importance=0.5, decay=0.5, count=0, rules=OBSERVED, idle=None
):
    created = NOW - round(age_days * DAY_US)
    accessed = created if idle is None else NOW - round(idle * DAY_US)
    made = composite(relevance, created, accessed, importance, decay, count, NOW, rules)
    assert made.dtype == np.float32
    return float(made)


def test_the_worked_example_is_0_80():
    assert score(relevance=1.0) == pytest.approx(0.80, abs=1e-6)


@pytest.mark.parametrize(
    ("count", "share"),
    [(0, 0), (1, 0.150), (5, 0.388), (10, 0.520), (50, 0.852), (100, 1), (9999, 1)],
)  # fmt: skip
def test_accesses_count_by_their_logarithm_up_to_the_cap(count, share):
    assert reinforcement(count, OBSERVED) == pytest.approx(share, abs=1e-3)


def test_one_recall_adds_0_015_and_a_hundred_0_1():
    assert score(count=1) - score(count=0) == pytest.approx(0.015, abs=1e-3)
    assert score(count=100) - score(count=0) == pytest.approx(0.1, abs=1e-6)


def test_what_is_more_relevant_or_newer_scores_higher():
    assert score(relevance=0.8) > score(relevance=0.2)
    assert score(age_days=1 / 86_400) > score(age_days=30 - 1 / 86_400)


def test_without_its_weight_age_makes_no_difference():
    rules = OBSERVED.change(weight_recency=0.0)
    assert abs(score(age_days=0, rules=rules) - score(age_days=29, rules=rules)) < 1e-6


@pytest.mark.parametrize(
    ("shape", "age_days", "value"),
    [("linear", 15, 0.5), ("linear", 30, 0), ("linear", 90, 0), ("linear", -5, 1),
     ("half_life", 30, 0.5), ("half_life", 60, 0.25), ("half_life", -5, 1)],
)  # fmt: skip
def test_recency_falls_in_a_line_or_by_halves(shape, age_days, value):
    rules = DOCUMENTED.change(recency_shape=shape)
    assert recency(NOW - age_days * DAY_US, 0, NOW, rules) == pytest.approx(value)


def test_recency_counts_from_the_writing_or_the_last_access():
    accessed = DOCUMENTED.change(recency_anchor="accessed")
    assert recency(NOW - 30 * DAY_US, NOW, NOW, DOCUMENTED) == 0
    assert recency(NOW - 30 * DAY_US, NOW, NOW, accessed) == 1


def test_without_days_all_is_new_and_without_a_cap_no_access_counts():
    assert recency(0, 0, NOW, DOCUMENTED.change(recency_days=0.0)) == 1
    assert reinforcement(50, DOCUMENTED.change(reinforcement_cap=0)) == 0


def test_decay_stays_out_stands_for_importance_or_scales_the_score():
    none, instead, factor = (
        score(importance=0.8, decay=0.2, rules=DOCUMENTED.change(decay_in_rank=name))
        for name in ("none", "importance", "factor")
    )
    assert none == pytest.approx(0.4 + 0.2 + 0.16)
    assert instead == pytest.approx(0.4 + 0.2 + 0.04)
    assert factor == pytest.approx(none / 4)


def test_what_accesses_add_to_a_decay_score_lifts_no_share_above_1():
    factor = DOCUMENTED.change(decay_in_rank="factor")
    assert score(importance=0.9, decay=1.8) == pytest.approx(0.4 + 0.2 + 0.18)
    assert score(importance=0.9, decay=1.8, rules=DOCUMENTED) == pytest.approx(0.4 + 0.2 + 0.2)
    assert score(importance=0.9, decay=1.8, rules=factor) == pytest.approx(0.4 + 0.2 + 0.18)


def test_of_importance_0_decay_leaves_nothing():
    factor = DOCUMENTED.change(decay_in_rank="factor")
    assert score(importance=0.0, decay=0.0, rules=factor) == 0


def test_weights_are_not_normalised_and_shapes_are_kept():
    rules = DOCUMENTED.change(weight_relevance=3.0, decay_in_rank="none")
    whole = composite(np.ones((2, 3)), np.full((2, 3), NOW), np.full((2, 3), NOW), np.ones((2, 3)),
                      np.ones((2, 3)), np.full((2, 3), 100), NOW, rules)  # fmt: skip
    assert whole.shape == (2, 3)
    assert whole == pytest.approx(np.full((2, 3), 3.5))
