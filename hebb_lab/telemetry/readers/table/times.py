"""Times of a table: ISO text, or seconds, ms, µs or ns since 1970, told apart by their size."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from hebb_lab.telemetry.clock import parse_time

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
_LATEST_US = 253_402_300_799_999_999  # the end of the year 9999
# A number below the bound is of the unit: 1e11 s is the year 5138, 1e11 ms is 1973.
_UNITS = (("s", Decimal(10) ** 11, Decimal(10) ** 6), ("ms", Decimal(10) ** 14, Decimal(10) ** 3),
          ("µs", Decimal(10) ** 17, Decimal(1)))  # fmt: skip
_NANOSECONDS = Decimal(1) / 1000


class Time(NamedTuple):
    """A time of a row: µs since 1970 (None for an empty cell), and its quality."""

    us: int | None
    quality: str


class Clock:
    """Reads the times of one table and remembers what it took them for.

    Args:
        microseconds: every number is µs, whatever its size.
    """

    def __init__(self, microseconds: bool = False) -> None:
        self.microseconds = microseconds
        self.units: Counter[str] = Counter()
        self.naive = 0

    def read(self, cell: str | None) -> Time | None:
        """The time of a cell; None when it cannot be read.

        >>> Clock().read("2026-01-05T12:17:36.209Z")
        Time(us=1767615456209000, quality='exact')
        >>> Clock().read("1767615456")
        Time(us=1767615456000000, quality='second')
        >>> Clock().read("1767615456209") == Clock().read("1767615456.209")
        True
        >>> Clock().read("yesterday")
        """
        text = (cell or "").strip()
        if not text:
            return Time(None, "none")
        time = self._number(text) if _NUMBER.fullmatch(text) else self._iso(text)
        return None if time.us is None or abs(time.us) > _LATEST_US else time

    def notes(self) -> list[str]:
        """What the user should know about how the times were read."""
        said: list[str] = []
        if self.units and not self.microseconds:
            found = ", ".join(f"{count} in {unit}" for unit, count in self.units.most_common())
            said.append(f"times are numbers, since 1970 by their size: {found}")
        if self.naive:
            said.append(f"{self.naive} times name no zone and are read as UTC")
        return said

    def _number(self, text: str) -> Time:
        value = Decimal(text)
        unit, factor = "ns", _NANOSECONDS
        for name, bound, microseconds in _UNITS:
            if abs(value) < bound:
                unit, factor = name, microseconds
                break
        if self.microseconds:
            unit, factor = "µs", Decimal(1)
        self.units[unit] += 1
        us = value * factor
        whole_second = unit == "s" and value == value.to_integral_value()
        return Time(int(us), "second" if whole_second else "exact")

    def _iso(self, text: str) -> Time:
        time = Time(*parse_time(re.sub(r"\s*(?:UTC|GMT)$", "+00:00", text)))
        self.naive += time.quality == "inferred"
        return time
