"""A switch of a rule set: its metadata and what values it takes."""

from dataclasses import dataclass, fields

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.switches import BOUNDS, check_numbers, check_switch, switch


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


INSIDE = {name: least for name, (least, _) in BOUNDS.items()} | {
    "hyperedge_min": 2, "hyperedge_max": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_may_be_its_least_and_its_most_and_nothing_beyond(name):
    least, most = BOUNDS[name]
    check_numbers(INSIDE)
    with pytest.raises(ConfigError, match=f"{name} is below {least}"):
        check_numbers({**INSIDE, name: least - 1})
    if most is not None:
        check_numbers({**INSIDE, name: most})
        with pytest.raises(ConfigError, match=f"{name} is above {most}"):
            check_numbers({**INSIDE, name: most + 1})


@pytest.mark.parametrize(("least", "most"), [(1, 8), (9, 8)])
def test_hyperedges_hold_two_and_more_the_least_first(least, most):
    with pytest.raises(ConfigError, match=f"hyperedges of {least} to {most}"):
        check_numbers({**INSIDE, "hyperedge_min": least, "hyperedge_max": most})
