"""Times as logs write them, in µs since 1970, UTC, with what they are worth."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_US_PER_UNIT = ((1e11, 1e6), (1e14, 1e3), (1e17, 1.0))  # a number below: seconds, ms, µs; else ns


def parse_time(value: Any) -> tuple[int | None, str]:
    """(µs since 1970 UTC, time quality) of an ISO time or a number; (None, "none") for no time.

    A time without fractions is only good to the second. A local time without a zone is taken as
    UTC and called inferred. Numbers are told apart by their size: seconds, ms, µs or ns.

    >>> parse_time("2026-01-05T12:17:36.209Z")
    (1767615456209000, 'exact')
    >>> parse_time(1767615456)
    (1767615456000000, 'second')
    >>> parse_time("2026-01-05 12:17:36")
    (1767615456000000, 'inferred')
    >>> parse_time("yesterday")
    (None, 'none')
    """
    if isinstance(value, str):
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            return None, "none"
        if time.tzinfo is None:
            return _since_epoch(time.replace(tzinfo=UTC)), "inferred"
        return _since_epoch(time), "exact" if "." in value else "second"
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e20:
        return None, "none"
    per_unit = next((microseconds for below, microseconds in _US_PER_UNIT if value < below), 1e-3)
    quality = "second" if per_unit == 1e6 and value == int(value) else "exact"
    return _scaled(value, per_unit), quality


def _scaled(value: float, per_unit: float) -> int:
    if isinstance(value, int):
        return value * int(per_unit) if per_unit >= 1 else value // 1000
    return round(value * per_unit)


def _since_epoch(time: datetime) -> int:
    since = time - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
