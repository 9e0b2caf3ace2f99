"""Rules as data, as all rule sets have them: a switch is a field with its help and choices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any

from hebb_lab.errors import ConfigError


def switch(
    default: Any,
    help_text: str,
    choices: tuple[str, ...] = (),
    deviation: int | None = None,
    *,
    signed: bool = False,
) -> Any:
    """A field of a rule set.

    Args:
        default: its value in the rule set that the page documents.
        help_text: what it does.
        choices: the names that it may have; none for numbers and flags.
        deviation: its number in the published list of deviations.
        signed: whether a number may be below 0.
    """
    about = {"help": help_text, "choices": choices, "deviation": deviation, "signed": signed}
    return field(default=default, metadata=about)


def check_choices(rules: Any, where: str) -> None:
    """Refuse a name that is none of a switch's choices.

    Args:
        rules: a rule set.
        where: the group of settings that it stands in.

    Raises:
        ConfigError: it lists the choices.
    """
    for part in fields(rules):
        choices, value = part.metadata["choices"], getattr(rules, part.name)
        if choices and value not in choices:
            raise ConfigError(
                f"{where}.{part.name}={value!r} is not a choice", f"Use one of {', '.join(choices)}"
            )


def checked(kind: type, values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Values from a config, each of its switch's type; lists become tuples.

    Args:
        kind: the dataclass of the rule set.
        values: switch → value.
        where: the group of settings that they stand in.

    Raises:
        ConfigError: an unknown switch, which lists the names; a value of the wrong type, a number
            below 0 that may not be, one that is not finite.
    """
    known = {part.name: part for part in fields(kind)}
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise ConfigError(
                f"unknown switch {where}.{name}", f"Known: {', '.join(sorted(known))}"
            )
        made[name] = tuple(value) if isinstance(value, list) else value
        part = known[name]
        _check(f"{where}.{name}", str(part.type), made[name], signed=part.metadata["signed"])
    return made


def _check(name: str, kind: str, value: Any, *, signed: bool) -> None:
    if value is None and "None" in kind:
        return
    allowed: dict[str, tuple[type, ...]] = {
        "int": (int,), "float": (int, float), "bool": (bool,), "tuple[str,": (tuple,),
    }  # fmt: skip
    types = allowed.get(kind.split()[0], (str,))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ConfigError(f"{name}={value!r} is not of type {kind}", "Give such a value")
    if isinstance(value, int | float) and not (math.isfinite(value) and (signed or value >= 0)):
        least = "" if signed else " from 0 up"
        raise ConfigError(f"{name}={value!r} is no number{least}", "Give such a number")


def row(part: Any, page: Any, code: Any, *columns: str) -> str:
    """A switch as a row of a Markdown table: name, page, code where it differs, more, meaning.

    Args:
        part: its field.
        page: its value by the page.
        code: its value by the code.
        columns: what stands between the code's value and the meaning.
    """
    choices = f" ({', '.join(part.metadata['choices'])})" if part.metadata["choices"] else ""
    page, code = _shown(page), _shown(code)
    cells = (f"`{part.name}`", page, "" if page == code else f"**{code}**", *columns)
    return f"| {' | '.join(cells)} | {part.metadata['help']}{choices} |"


def _shown(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
