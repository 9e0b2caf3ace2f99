"""A switch of a rule set: its metadata, and what values it takes."""

from __future__ import annotations

from dataclasses import dataclass, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.switches import check_choices, checked, row, switch


@dataclass(frozen=True)
class Rules:
    pace: str = switch("slow", "how fast", ("slow", "fast"), 3)
    gain: float = switch(0.5, "how much")
    shift: float | None = switch(0.0, "which way", signed=True)
    count: int = switch(1, "how many")
    limit: int | None = switch(None, "at most")
    most: float | None = switch(None, "at most")
    on: bool = switch(True, "whether")
    names: tuple[str, ...] = switch((), "which")


def test_a_switch_carries_help_choices_and_deviation():
    pace, gain, *_ = fields(Rules)
    assert dict(pace.metadata) == {
        "help": "how fast", "choices": ("slow", "fast"), "deviation": 3, "signed": False,
    }  # fmt: skip
    assert gain.metadata["deviation"] is None
    assert Rules().pace == "slow"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", 0), ("gain", 2), ("gain", 0.0), ("on", False), ("pace", "fast"),
        ("limit", None), ("most", 3.5), ("names", ("a",)), ("shift", -2.0), ("shift", None),
    ],
)  # fmt: skip
def test_values_of_the_type_pass(name, value):
    assert checked(Rules, {name: value}, "rules") == {name: value}


def test_a_list_becomes_a_tuple():
    assert checked(Rules, {"names": ["a", "b"]}, "rules") == {"names": ("a", "b")}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", 1.0), ("count", True), ("count", None), ("gain", "1"), ("gain", True),
        ("on", 1), ("pace", 1), ("limit", "none"), ("names", "a"),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(name, value):
    with pytest.raises(ConfigError, match=rf"my\.rules\.{name}=.* is not of type"):
        checked(Rules, {name: value}, "my.rules")


@pytest.mark.parametrize("value", [-1, -0.001, float("inf"), float("nan")])
def test_numbers_below_0_and_without_end_are_refused(value):
    with pytest.raises(ConfigError, match="is no number from 0 up"):
        checked(Rules, {"gain": value}, "rules")


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_a_signed_number_has_an_end_too(value):
    with pytest.raises(ConfigError, match=r"rules\.shift=.* is no number"):
        checked(Rules, {"shift": value}, "rules")


def test_an_unknown_switch_lists_the_known():
    with pytest.raises(ConfigError, match=r"unknown switch my\.rules\.pase\. Known: count, gain"):
        checked(Rules, {"pase": "slow"}, "my.rules")


def test_a_name_that_is_no_choice_lists_the_choices():
    check_choices(Rules(pace="fast"), "rules")
    with pytest.raises(ConfigError, match=r"rules\.pace='brisk' is not a choice\. Use one of slow"):
        check_choices(Rules(pace="brisk"), "rules")


def test_a_row_shows_the_codes_value_where_it_differs():
    pace, _, shift, *_ = fields(Rules)
    assert row(pace, "slow", "fast", "3") == (
        "| `pace` | slow | **fast** | 3 | how fast (slow, fast) |"
    )
    assert row(shift, None, None) == "| `shift` | null |  | which way |"
    assert row(fields(Rules)[6], True, False) == "| `on` | true | **false** | whether |"
    assert row(fields(Rules)[7], (), ("a", "b")) == "| `names` | none | **a, b** | which |"
