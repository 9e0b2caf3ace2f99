import numpy as np
import pytest

from hebb_lab.memory.reflection.insight import Insight, checked_insights


def one(**changes):
    return [{"text": "They sail.", "confidence": 0.8, "sources": [0, 2], **changes}]


def test_objects_and_insights_are_kept_alike():
    told = Insight("They sail.", 0.8, (0, 2))
    assert checked_insights(one(), 3).insights == checked_insights([told], 3).insights == [told]


def test_unknown_sources_are_left_out_and_counted():
    checked = checked_insights(one(sources=[2, 9, -1, True, "0", None, 2]), 3)
    assert checked.insights[0].sources == (2,)
    assert checked.unknown_sources == 5


def test_an_insight_without_known_sources_is_drawn_from_the_whole_cluster():
    assert checked_insights(one(sources=[9]), 3).insights[0].sources == (0, 1, 2)
    assert checked_insights(one(sources=None), 3).insights[0].sources == (0, 1, 2)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"text": ""}, "empty"),
        ({"text": "  \n"}, "empty"),
        ({"text": 7}, "empty"),
        ({"text": "é" * 32_769}, "65538 bytes"),
        ({"text": "\ud800"}, "surrogates"),
        ({"confidence": None}, "no number"),
        ({"confidence": True}, "no number"),
        ({"confidence": 1.1}, "not in"),
        ({"confidence": float("nan")}, "not in"),
        ({"confidence": -0.1}, "not in"),
        ({"tags": "sailing"}, "no list"),
        ({"tags": [1]}, "no texts"),
        ({"tags": ["x" * 9000]}, "bytes"),
        ({"tags": ["\ud800"]}, "surrogates"),
        ({"sources": "01"}, "no list"),
    ],
)
def test_what_breaks_a_limit_is_refused_and_the_rest_is_kept(changes, why):
    checked = checked_insights(one(**changes) + one(text="Kept."), 3)
    assert [insight.text for insight in checked.insights] == ["Kept."]
    assert why in checked.refused[0]
    assert checked.refused[0].startswith("insight 0")


def test_a_text_of_exactly_the_limit_is_kept():
    assert checked_insights(one(text="x" * 65_536), 3).insights


def test_a_text_instead_of_an_object_is_refused():
    assert checked_insights(["They sail."], 3).refused == ["insight 0: it is no object but str"]


@pytest.mark.parametrize("answer", ["text", {"text": "x"}, None, 3, np.float64(1)])
def test_an_answer_that_is_no_list_is_an_error(answer):
    with pytest.raises(ValueError, match="no list of insights"):
        checked_insights(answer, 3)


def test_numbers_of_numpy_are_numbers():
    given = {"text": "They sail.", "confidence": np.float32(0.5)}
    for sources in (np.array([2, 0]), tuple(np.array([2, 0])), [np.int64(2), 0]):
        checked = checked_insights([{**given, "sources": sources}], 3)
        assert checked.insights == [Insight("They sail.", 0.5, (0, 2))]
        assert checked.unknown_sources == 0
