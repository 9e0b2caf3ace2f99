"""A switch of a rule set: its metadata and what values it takes."""

from dataclasses import dataclass, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.switches import check_switch, switch


@dataclass(frozen=True)
class Rules:
    pace: str = switch("slow", "how fast", ("slow", "fast"), 3)
    gain: float = switch(0.5, "how much")


def test_a_switch_carries_help_choices_and_deviation():
    pace, gain = fields(Rules)
    assert dict(pace.metadata) == {
        "help": "how fast", "choices": ("slow", "fast"), "deviation": 3,
    }  # fmt: skip
    assert gain.metadata["deviation"] is None
    assert Rules().pace == "slow"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int", 0), ("float", 2), ("float", 0.0), ("bool", False), ("str", "x"),
        ("int | None", None), ("float | None", 3.5), ("tuple[str, ...]", ("a",)),
    ],
)  # fmt: skip
def test_values_of_the_type_pass(kind, value):
    check_switch("x", kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int", 1.0), ("int", True), ("int", None), ("float", "1"), ("float", True), ("bool", 1),
        ("str", 1), ("int | None", "none"), ("tuple[str, ...]", "a"),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(kind, value):
    with pytest.raises(ConfigError, match=r"x=.* is not of type"):
        check_switch("x", kind, value)


@pytest.mark.parametrize("value", [-1, -0.001, float("inf"), float("nan")])
def test_numbers_below_0_and_without_end_are_refused(value):
    with pytest.raises(ConfigError, match="is no number from 0 up"):
        check_switch("x", "float", value)
