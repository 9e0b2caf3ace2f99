"""Measures print and parse back; what is misspelt is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import MEASURES, Measure, parse
from hebb_lab.evaluation.judge import judgements_from_ranks
from hebb_lab.evaluation.spec import at_least


@st.composite
def spellings(draw):
    """Any name that the registry allows, options in any order and with defaults written out."""
    name = draw(st.sampled_from(sorted(MEASURES)))
    definition = MEASURES[name]
    options = [
        f"{key}={draw(st.sampled_from(values))}"
        for key, values in definition.choices.items()
        if draw(st.booleans())
    ]
    if definition.binary and draw(st.booleans()):
        options.append(f"rel={draw(st.integers(1, 4))}")
    cut = definition.cutoff == "required" or (
        definition.cutoff == "optional" and draw(st.booleans())
    )
    inside = f"({', '.join(draw(st.permutations(options)))})" if options else ""
    return name + inside + (f"@{draw(st.integers(1, 1000))}" if cut else "")


@given(spellings())
def test_a_measure_prints_and_parses_back(text):
    measure = parse(text)
    assert parse(str(measure)) == measure
    assert len(measure(judgements_from_ranks([[1, 3], []]))) == 2


def test_a_default_that_is_written_out_is_the_same_measure():
    assert parse("nDCG(gain=linear)@10") == Measure("nDCG", 10)
    assert str(parse("R( rel=1 )@10")) == "R@10"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nDGC@10", "Did you mean 'nDCG'"),
        ("R_cap", "Write it as R_cap@10"),
        ("Rprec@5", "Write it as Rprec"),
        ("R@0", "Cut at 1"),
        ("nDCG(rel=2)@10", r"no option 'rel=2'"),
        ("R(rel=0)@10", r"no option 'rel=0'"),
        ("nDCG(gain=log)@10", r"gain=linear\|exp"),
        ("R@", "is not a measure"),
        ("", "is not a measure"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_what_was_written(text, said):
    with pytest.raises(ConfigError, match=said):
        parse(text)


def test_a_relevance_level_keeps_the_ranks_of_what_is_left():
    judged = at_least(judgements_from_ranks([[1, 2, 0], [3]], grades=[[1, 2, 3], [1]]), 2)
    assert judged.ranks.tolist() == [2, 0]
    assert judged.ptr.tolist() == [0, 2, 2]
