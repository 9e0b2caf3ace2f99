"""Numbers and tables as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NONE = "–"
DUST = 5e-10
"""Smaller numbers are what rounding leaves of 0."""


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> list[str]:
    """A Markdown table as lines; the first ``names`` columns are text, the others numbers.

    >>> markdown(("layer", "Δ"), [("chain", "+0.1")])
    ['| layer | Δ |', '| :-- | --: |', '| chain | +0.1 |', '']
    """
    rule = [":--" if place < names else "--:" for place in range(len(head))]
    lines = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in (head, rule, *lines)] + [""]


def value(number: float | None, decimals: int = 3) -> str:
    """A number, or a dash."""
    return NONE if number is None else f"{number:.{decimals}f}"


def signed(number: float | None, decimals: int = 3) -> str:
    """A difference with its sign, and a minus as wide as a plus; 0 has no sign.

    What is no zero does not look like one: it gets the decimals that it needs.

    >>> signed(-0.0214), signed(-0.00004), signed(-0.0), signed(None)
    ('−0.021', '−0.00004', '0', '–')
    """
    if number is None:
        return NONE
    if abs(number) < DUST:
        return "0"
    while not float(f"{number:.{decimals}f}"):
        decimals += 1
    return f"{number:+.{decimals}f}".replace("-", "−")


def with_interval(number: float | None, ends: Sequence[float | None] | None) -> str:
    """A difference with its 95 % interval; 0 where neither it nor its ends are anything else.

    >>> with_interval(0.1, [0.05, 0.15]), with_interval(0.1, None), with_interval(0.0, [0.0, 0.0])
    ('+0.100 [+0.050, +0.150]', '+0.100', '0')
    """
    text = signed(number)
    if number is None or ends is None or None in ends or (text == "0" and not any(ends)):
        return text
    return f"{text} [{signed(ends[0])}, {signed(ends[1])}]"


def count(number: float | None) -> str:
    """A whole number with commas, or a dash."""
    return NONE if number is None else f"{number:,.0f}"


def share(part: float, whole: float) -> str:
    """A part of a whole in percent, or a dash.

    >>> share(1, 4), share(0, 0)
    ('25 %', '–')
    """
    return NONE if not whole else f"{100 * part / whole:.3g} %"


def size(number: float | None) -> str:
    """Bytes in two or three digits.

    >>> [size(n) for n in (0, 999, 12_345, 2_500_000)]
    ['0 B', '999 B', '12 kB', '2.5 MB']
    """
    if number is None:
        return NONE
    scaled, unit = float(number), "B"
    for larger in ("kB", "MB", "GB"):
        if round(scaled) < 1000:
            break
        scaled, unit = scaled / 1000, larger
    digits = 0 if unit == "B" or round(scaled, 1) >= 10 else 1
    return f"{scaled:.{digits}f} {unit}"


def listed(mapping: Mapping[str, Any]) -> str:
    """``name=value`` of each.

    >>> listed({"merge": "sum"})
    'merge=sum'
    """
    return ", ".join(f"{name}={value}" for name, value in mapping.items()) or "nothing else"
