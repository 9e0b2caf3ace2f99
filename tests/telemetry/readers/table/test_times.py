"""Times of a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.telemetry.readers.table.times import Clock, Time

MOMENT = 1_767_615_456_209_000  # 2026-01-05 12:17:36.209 UTC, in µs


@pytest.mark.parametrize(
    ("cell", "us", "quality"),
    [
        ("2026-01-05T12:17:36.209Z", MOMENT, "exact"),
        ("2026-01-05 13:17:36.209+01:00", MOMENT, "exact"),
        ("2026-01-05T12:17:36Z", MOMENT - 209_000, "second"),
        ("2026-01-05 12:17:36.209 UTC", MOMENT, "exact"),
        ("2026-01-05", 1_767_571_200_000_000, "inferred"),
        ("1767615456", MOMENT - 209_000, "second"),
        ("1767615456.209", MOMENT, "exact"),
        ("1767615456209", MOMENT, "exact"),
        ("1767615456209000", MOMENT, "exact"),
        ("1767615456209000123", MOMENT, "exact"),
        ("0", 0, "second"),
        ("", None, "none"),
        ("  ", None, "none"),
    ],
)
def test_a_time_is_read_as_what_it_is(cell, us, quality):
    assert Clock().read(cell) == Time(us, quality)


@pytest.mark.parametrize("cell", ["noon", "2026-13-01", "nan", "inf", "1e30", "12:00", "0x10", "-"])
def test_what_is_no_time_is_not_read(cell):
    assert Clock().read(cell) is None


@given(st.integers(10**14, 10**17 - 1))
def test_a_column_that_is_said_to_be_in_microseconds_is_read_so_whatever_its_size(us):
    assert Clock(microseconds=True).read(str(us % 10**9)) == Time(us % 10**9, "exact")
    assert Clock().read(str(us)) == Time(us, "exact")


def test_the_units_found_and_the_missing_zones_are_told():
    clock = Clock()
    for cell in ("1767615456", "1767615457", "1767615456209", "2026-01-05 12:17:36"):
        clock.read(cell)
    assert clock.notes() == [
        "times are numbers, since 1970 by their size: 2 in s, 1 in ms",
        "1 times name no zone and are read as UTC",
    ]
