"""Three rows a layer, in the order of the stack."""

from hebb_lab.plots.effects import Effect
from hebb_lab.plots.layers.effects import draw
from tests.plots.looking import outside, overlapping, words

WAYS = ("added to the base", "kept in the full stack", "Shapley value")
ABOUT = "locomo · question_to_evidence · n = 1,536 queries in 10 clusters"


def marks():
    values = {"hebbian": 0.01, "chain": -0.03, "stdp": 0.0}
    made = [
        Effect(way, layer, None, value, (value - 0.01, value + 0.01),
               0.0 if abs(value) > 0.02 else 1.0, inert=value == 0)
        for layer, value in values.items()
        for way in WAYS
    ]  # fmt: skip
    return [*made, Effect("added to the base", "cross_capture", status="failed")]


def test_every_layer_has_its_rows_in_the_order_given():
    text = words(draw(marks(), "nDCG@10", ABOUT))
    assert [t for t in text if t in ("hebbian", "chain", "stdp", "cross_capture")] == [
        "hebbian", "chain", "stdp", "cross_capture",
    ]  # fmt: skip
    assert text.count("Shapley value") == 3


def test_what_changes_no_score_and_what_failed_say_so():
    text = words(draw(marks(), "nDCG@10", ABOUT))
    assert text.count("no change: the same score on every question") == 3
    assert "failed: see its traceback" in text


def test_nothing_is_cut_and_nothing_overlaps():
    figure = draw(marks(), "nDCG@10", ABOUT)
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_a_layer_that_helps_far_more_than_the_others_stays_on_the_axis():
    small = [Effect("added to the base", f"l{i}", None, 1e-4, (0.0, 2e-4)) for i in range(5)]
    large = Effect("added to the base", "entities", None, 0.05, (0.04, 0.06), 0.0)
    figure = draw([*small, large], "nDCG@10", ABOUT)
    low, high = figure.axes[0].get_xlim()
    assert low < 0.0 < 0.06 < high
    assert not any("beyond the axis" in text for text in words(figure))


def test_it_draws_into_given_axes():
    figure = draw(marks(), "nDCG@10", ABOUT)
    assert draw(marks(), "nDCG@10", ABOUT, ax=figure.axes[0]) is figure
