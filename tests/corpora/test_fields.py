"""Ids, texts, times and sessions, under each of their names."""

import pytest

from hebb_lab.corpora.fields import (
    GROUP_KEYS,
    ID_KEYS,
    SESSION_KEYS,
    name_in,
    named,
    text_of,
    time_of,
)
from hebb_lab.telemetry.readers.table.times import Clock

NOON_US = 1_750_000_000_000_000


@pytest.mark.parametrize("value", ["", "  ", "\x00", None, True, 1.5, ["d"], {"d": 1}])
def test_what_is_no_name_is_refused(value):
    assert name_in({"_id": value}, ID_KEYS) is None
    assert name_in({"_id": value, "id": "other"}, ID_KEYS) == "other"


@pytest.mark.parametrize(
    ("value", "name"),
    [("d 1", "d 1"), (" d1\r", "d1"), (0, "0"), ("d\x001", "d1"), ("é\ud800", "é?")],
)
def test_a_name_is_text_or_a_whole_number_without_what_no_file_can_hold(value, name):
    assert name_in({"_id": value}, ID_KEYS) == name


@pytest.mark.parametrize("key", SESSION_KEYS)
def test_a_session_stands_at_the_top_or_in_the_metadata(key):
    assert named({key: "s"}, SESSION_KEYS) == named({"metadata": {key: "s"}}, SESSION_KEYS) == "s"
    assert named({key: "s", "metadata": {key: "r"}}, SESSION_KEYS) == "s"
    assert named({"metadata": [key]}, SESSION_KEYS) is None


def test_a_group_of_its_own_counts_more_than_a_session():
    assert named({"session": "s", "group": "g"}, GROUP_KEYS) == "g"
    assert named({"session": "s", "conversation": "c"}, GROUP_KEYS) == "c"


def test_the_text_is_title_and_text_where_they_are_texts():
    assert text_of({"title": "T", "text": "x"}) == "T x"
    assert text_of({"title": "", "text": "x"}) == text_of({"text": " x\x00"}) == "x"
    assert text_of({"title": "T", "text": ["x"]}) == "T"
    assert text_of({"text": 7}) == ""


@pytest.mark.parametrize(
    "obj",
    [
        {"timestampMs": NOON_US // 1000},
        {"timestampMs": str(NOON_US // 1000)},
        {"timestampMs": NOON_US / 1000},
        {"timestamp": NOON_US // 1_000_000},
        {"timestamp": str(NOON_US)},
        {"time": NOON_US // 1000},
        {"time": "2025-06-15T15:06:40Z"},
        {"time": "2025-06-15T17:06:40+02:00"},
        {"time": None, "metadata": {"time": "2025-06-15 15:06:40"}},
        {"timestamp": "", "time": NOON_US / 1e6},
    ],
)
def test_one_moment_in_all_its_spellings(obj):
    assert time_of(obj, Clock()).us == NOON_US


def test_milliseconds_by_name_are_milliseconds_whatever_their_size():
    assert time_of({"timestampMs": 5}, Clock()).us == 5_000
    assert time_of({"timestampMs": -5}, Clock()).us == -5_000


@pytest.mark.parametrize(
    "value", ["noon", True, [1], {"s": 1}, "1e400", "1e999999", 1e300, float("nan"), float("inf")]
)
@pytest.mark.parametrize("key", ["timestampMs", "timestamp", "time"])
def test_an_unreadable_time_is_told_from_none(key, value):
    assert time_of({key: value}, Clock()) is None
    assert time_of({key: None}, Clock()).us is None
