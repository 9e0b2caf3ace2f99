"""The rule of claims, case by case."""

import pytest

from hebb_lab.errors import InputError
from hebb_lab.evaluation.calibration import claim

BELOW, ABOVE, AROUND, NONE = (-0.2, -0.1), (0.1, 0.2), (-0.1, 0.1), (float("nan"),) * 2


@pytest.mark.parametrize(
    ("heuristic", "rate", "finding"),
    [
        (BELOW, BELOW, "helps"),
        (BELOW, AROUND, "beats the heuristic only"),
        (BELOW, NONE, "beats the heuristic only"),
        (BELOW, ABOVE, "harms"),
        (ABOVE, BELOW, "harms"),
        (ABOVE, ABOVE, "harms"),
        (NONE, ABOVE, "harms"),
        (AROUND, BELOW, "not shown"),
        (AROUND, AROUND, "not shown"),
        (NONE, NONE, "not shown"),
    ],
)
def test_a_claim_needs_both_rivals_and_one_rival_is_enough_for_harm(heuristic, rate, finding):
    assert claim(heuristic, rate).finding == finding


@pytest.mark.parametrize("touching", [(-0.2, 0.0), (0.0, 0.2), (0.0, 0.0)])
def test_an_interval_that_ends_at_0_shows_nothing(touching):
    assert str(claim(touching, BELOW)) == "not shown"
    assert str(claim(BELOW, touching)) == "beats the heuristic only"


def test_the_sentence_says_how_both_comparisons_went():
    assert claim(BELOW, BELOW).sentence == (
        "Learned half-lives help: they predict better than the heuristic and predict better than "
        "the rate."
    )
    assert claim(ABOVE, NONE).sentence == (
        "Learned half-lives harm: they predict worse than the heuristic and could not be compared "
        "with the rate (no interval)."
    )
    assert claim(AROUND, BELOW).sentence == (
        "It is not shown that learned half-lives help: they are not shown to predict better than "
        "the heuristic and predict better than the rate."
    )


@pytest.mark.parametrize("wrong", [[0.1], [0.2, 0.1], [0.1, 0.2, 0.3], 0.1])
def test_what_is_no_interval_is_refused(wrong):
    with pytest.raises(InputError, match="not an interval"):
        claim(wrong, BELOW)


@pytest.mark.parametrize(
    ("rate", "finding"),
    [((-0.2, -0.1), "helps, not by fading"), ((-0.2, 0.1), "beats the heuristic only")],
)
def test_what_helps_where_nothing_is_shown_to_fade_does_not_help_by_fading(rate, finding):
    told = claim((-0.3, -0.1), rate, fades=False)
    assert told.finding == finding
    assert claim((-0.3, -0.1), (-0.2, -0.1)).finding == "helps"
