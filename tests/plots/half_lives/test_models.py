"""Every model is drawn alike everywhere, and told from every other."""

import pytest

from hebb_lab.plots.half_lives.models import LEADING, MOST, letters, look_of, looks_of
from hebb_lab.plots.style import FAINT, QUIET
from tests.plots.half_lives.made import MODELS


def test_no_two_models_share_colour_and_stroke():
    looks = [(look_of(model).colour, look_of(model).dashes) for model in MODELS]
    assert len(set(looks)) == len(MODELS)


def test_a_few_models_are_all_in_colour_and_of_many_only_the_leading():
    assert all(look == look_of(model) for model, look in looks_of(MODELS[:MOST]).items())
    coloured = {model for model, look in looks_of(MODELS).items() if look.colour != FAINT}
    assert coloured == set(LEADING)
    assert {m for m, k in looks_of(MODELS, ["basis"]).items() if k.colour != FAINT} == {"basis"}


@pytest.mark.parametrize("model", [*MODELS, "of another name"])
def test_no_name_is_written_in_the_colour_of_pale_lines(model):
    assert letters(looks_of([*MODELS, "of another name"])[model]) != FAINT
    assert letters(look_of("of another name")) == QUIET
