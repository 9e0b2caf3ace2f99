import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.limits import (
    LATEST_US,
    Problem,
    checked_most,
    checked_time,
    content_problem,
    entity_problem,
    kind_problem,
    link_problem,
    raised_for_batch,
    share_problem,
    written_context,
)
from hebb_lab.memory.values import EdgeKind, Link


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"), ("a" * 65_537, "65537 bytes"), ("ü" * 32_769, "65538 bytes"),
        ("\ud800", "surrogates"), (b"bytes", "no text but bytes"), (None, "no text"),
    ],
)  # fmt: skip
def test_a_content_beyond_its_limits_is_refused(content, said):
    assert said in content_problem(content).problem


@pytest.mark.parametrize(
    "content", [" ", "a" * 65_536, "ü" * 32_768, "nul \0 ☂ '; DROP", "\u00e9", "e\u0301"]
)
def test_a_content_is_kept_as_it_is_up_to_65536_bytes(content):
    assert content_problem(content) is None


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ([], "no mapping"), ({"a": float("nan")}, "NaN"), ({"a": float("inf")}, "infinity"),
        ({1: "a"}, "key"), ({"a": [{2: 3}]}, "key"), ({"a": {1, 2}}, "no JSON"),
        ({"a": np.float32(1)}, "no JSON"), ({"a": "\ud800"}, "surrogates"),
        ({"\ud800": 1}, "surrogates"), ({"a": "b" * 16_377}, "16385 bytes"),
    ],
)  # fmt: skip
def test_a_context_that_is_no_small_json_is_refused(context, said):
    assert said in written_context(context).problem


def test_a_context_that_holds_itself_is_refused():
    context = {}
    context["a"] = context
    assert isinstance(written_context(context), Problem)
    deep = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert isinstance(written_context(deep), Problem)


def test_a_context_is_written_with_sorted_keys_up_to_16384_bytes():
    assert written_context({"b": (1, None), "a": "ü"}) == '{"a":"ü","b":[1,null]}'
    assert written_context({}) == "{}"
    assert len(written_context({"a": "b" * 16_376})) == 16_384


@pytest.mark.parametrize(
    ("entity", "said"),
    [("", "empty"), ("a\nb", "control"), ("\0", "control"), ("\x7f", "control"),
     ("\x85", "control"), ("a" * 513, "513 bytes"), ("\ud800", "surrogates"), (7, "no text")],
)  # fmt: skip
def test_an_entity_that_cannot_be_a_name_is_refused(entity, said):
    assert said in entity_problem(entity).problem


@pytest.mark.parametrize(
    "entity", [None, " ", "a" * 512, 'it\'s "quoted"; --', "☂️👩‍👩‍👧", "e\u0301", "\u200b", "%_\\"]
)
def test_an_entity_of_odd_characters_is_kept(entity):
    assert entity_problem(entity) is None


@pytest.mark.parametrize("value", [1.1, -0.1, float("nan"), float("inf"), "0.5", None, True, 2])
def test_an_importance_outside_0_to_1_is_refused(value):
    assert share_problem(value, "importance").problem.startswith("importance")


@pytest.mark.parametrize("value", [0, 1, 0.0, -0.0, 0.5, np.float32(0.3), np.float64(1)])
def test_an_importance_in_0_to_1_is_kept(value):
    assert share_problem(value, "importance") is None


@pytest.mark.parametrize("kind", [0, 4, True, "episode", None, 1.5])
def test_a_kind_that_is_none_is_refused(kind):
    assert kind_problem(kind) is not None


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (Link(0, 1), "kind 0"), (Link(6, 1), "kind 6"), (Link(True, 1), "kind True"),
        (Link(EdgeKind.CAUSED_BY, 1, 1.5), "confidence 1.5"),
        (Link(EdgeKind.CAUSED_BY, 1, float("nan")), "confidence nan"),
        (Link(EdgeKind.CAUSED_BY, 0), "itself"), (Link(EdgeKind.CAUSED_BY, 3), "place 3 of 3"),
        (Link(EdgeKind.CAUSED_BY, -1), "place -1"), (Link(EdgeKind.CAUSED_BY, 1.0), "neither"),
        (Link(EdgeKind.CAUSED_BY, True), "neither"), ((1, 1), "no Link"),
    ],
)  # fmt: skip
def test_a_link_that_cannot_be_an_edge_is_refused(link, said):
    assert said in link_problem(link, 0, 3).problem


@pytest.mark.parametrize("time", [True, 1.0, "1", None, np.bool_(True), -1, LATEST_US + 1])
def test_a_time_that_is_no_microsecond_since_1970_is_refused(time):
    with pytest.raises(InputError):
        checked_time(time, -1, "keep")


def test_a_clock_that_goes_back_is_refused_or_kept_by_the_rules():
    with pytest.raises(InputError, match="goes back from 10 to 9"):
        checked_time(9, 10, "refuse")
    assert checked_time(9, 10, "keep") == 9
    assert checked_time(np.int64(10), 10, "refuse") == 10  # the same microsecond


def test_a_batch_names_its_first_problems_and_counts_the_rest():
    found = {place: Problem(f"p{place}", f"c{place}") for place in (9, 2, 5, 7)}
    with pytest.raises(InputError, match=r"4 of 10 .* 2: p2; .* 5: p5; .* 7: p7; and 1 more"):
        raise raised_for_batch(found, 10)


@pytest.mark.parametrize("most", [0, -1, True, 1.5, None])
def test_how_many_is_a_number_from_1_up(most):
    with pytest.raises(InputError, match="most="):
        checked_most(most, "most")
