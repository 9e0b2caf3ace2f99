"""The scorer's steps against the oracle values of the fact sheet."""

import numpy as np
import pytest

from hebb_lab.recall.cognitive.scoring import phases

TABLES = {
    phases.DECAY: "1 .7469 .6004 .5043 .4395 .3642 .3028 .2681 .2416 .2173 .1914 .1725",
    (0.08, 0.15): "1 .8558 .7618 .6941 .645 .5835 .5287 .4955 .4688 .443 .414 .3917",
    (0.30, 0.05): "1 .5578 .3605 .2543 .1932 .1327 .0917 .0719 .0584 .05 .05 .05",
}


@pytest.mark.parametrize(("exponent", "floor"), TABLES)
def test_time_decay_is_the_published_table(exponent, floor):
    expected = np.array(TABLES[exponent, floor].split(), float)
    assert np.abs(phases.time_decay(exponent, floor) - expected).max() < 1e-4


def test_the_default_decay_is_the_published_one():
    assert phases.DECAY == (0.15, 0.10)


def test_buckets_end_at_the_published_ages():
    hours = np.array([0.5, 1, 6, 24, 72, 168, 672, 2160, 4320, 8760, 17520, 43800])
    ages = (hours * phases.HOUR_US).astype(np.int64)
    assert phases.age_bucket(ages).tolist() == list(range(12))
    assert phases.age_bucket(ages[1:] - 1).tolist() == list(range(11))


def test_recalls_halve_the_bucket_five_times_at_most():
    recalled = phases.reconsolidated(np.full(8, 11), np.arange(8))
    assert recalled.tolist() == [11, 5, 2, 1, 0, 0, 0, 0]


def test_the_unresolved_does_not_age_unless_pinned():
    resolved = np.array([False, False, True, True])
    pinned = np.array([False, True, False, True])
    assert phases.wakeful(np.full(4, 7), resolved, pinned).tolist() == [0, 7, 7, 7]


def test_only_the_old_unimportant_unpinned_and_resolved_is_forgotten():
    yes, no = np.array([True]), np.array([False])
    one, ten = np.array([11]), np.array([10])
    assert phases.forgotten(one, np.array([0.9]), yes, no).all()
    for other in (
        (ten, np.array([0.9]), yes, no),
        (one, np.array([1.0]), yes, no),
        (one, np.array([0.9]), no, no),
        (one, np.array([0.9]), yes, yes),
    ):
        assert not phases.forgotten(*other).any()


def test_arousal_slows_decay_by_quarters_of_its_byte():
    assert np.allclose(
        phases.arousal_modifier(np.array([0, 63, 64, 127, 128, 191, 192, 255])),
        [1, 1, 1.15, 1.15, 1.35, 1.35, 1.65, 1.65],
    )


def test_arousal_that_is_not_given_comes_from_valence():
    arousal, valence = np.array([-1, -1, -1, 9]), np.array([-128, 100, -100, 50])
    assert phases.arousal_of(arousal, valence).tolist() == [255, 200, 200, 9]


def test_tags_lift_a_score_by_three_tenths():
    half, whole = (
        float(phases.cognitive_score(np.array(0.8), np.array(0.0), np.array(1.0), overlap=share))
        for share in (0.5, 1.0)
    )
    assert (half, whole) == (pytest.approx(0.92), pytest.approx(1.04))


def test_importance_counts_by_beta_and_age():
    score = phases.cognitive_score(
        np.array(0.5), np.array(10.0), np.array(0.5), beta=0.8, alignment=0.5, boost=1.5
    )
    assert float(score) == pytest.approx(0.5 * (1 + 0.8 * 0.5) * 0.5 * 1.5)


def test_strictness_1_leaves_similarity_as_it_is():
    similarity = np.linspace(0, 1, 11)
    assert np.allclose(phases.strict_similarity(similarity, np.array(1.0)), similarity)
    stricter = phases.strict_similarity(similarity, np.array(10.0))
    assert (stricter <= similarity).all()
    assert stricter[-1] == 1.0


def test_far_memories_with_the_right_tags_are_best_at_a_right_angle():
    distance = np.array([2**0.5, 1.3, 1.2, 2.0])
    overlap = np.array([1.0, 0.5, 1.0, 1.0])
    score = phases.lateral_score(distance, overlap, np.full(4, 10.0), np.full(4, 0.5))
    assert score[0] == pytest.approx(1.5)
    assert score[1] == pytest.approx((1 - 0.25 * (1.69 - 2) ** 2) * 0.5 * 1.5)
    assert score[2] == 0.0  # near enough to be found anyway
    assert score[3] == 0.0
    assert phases.lateral_score(distance, np.full(4, 0.4), np.ones(4), np.ones(4)).max() == 0.0
