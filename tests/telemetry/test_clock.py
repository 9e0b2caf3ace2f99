from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.telemetry.clock import parse_time


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)))
def test_an_iso_time_survives_to_the_microsecond(time):
    time = time.replace(tzinfo=UTC)
    us, quality = parse_time(time.isoformat())
    assert us == round((time - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1e6)
    assert quality == ("exact" if time.microsecond else "second")


@pytest.mark.parametrize("unit", [1, 10**3, 10**6, 10**9])
def test_seconds_milliseconds_microseconds_and_nanoseconds_are_told_apart(unit):
    assert parse_time(1_767_615_456 * unit)[0] == 1_767_615_456_000_000


def test_an_offset_is_taken_to_utc_and_a_local_time_is_only_inferred():
    assert parse_time("2026-01-05T14:17:36.5+02:00") == parse_time("2026-01-05T12:17:36.5Z")
    assert parse_time("2026-01-05T12:17:36.500") == (1767615456500000, "inferred")


@pytest.mark.parametrize("nothing", [None, "", "soon", True, float("nan"), -5, 0, [], {}, 1e30])
def test_what_is_no_time_gives_none(nothing):
    assert parse_time(nothing) == (None, "none")
