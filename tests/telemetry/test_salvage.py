import json

from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.telemetry.salvage import salvage

KEYS = frozenset({"uuid"})
VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
RECORDS = st.builds(lambda value: {"uuid": "x", "body": value}, VALUES)


@given(st.lists(RECORDS, min_size=1, max_size=4), st.sampled_from(["", " ", "\x00\x00"]))
def test_whole_records_are_all_given_whatever_stands_between(records, between):
    text = between.join(json.dumps(record) for record in records)
    assert salvage(text, KEYS) == (records, False)


@given(RECORDS, RECORDS, st.data())
def test_a_cut_record_costs_no_record_behind_it(cut, whole, data):
    text = json.dumps(cut)
    size = data.draw(st.integers(1, len(text) - 1))
    found, lost = salvage(text[:size] + json.dumps(whole), KEYS)
    assert found[-1] == whole
    assert lost


def test_text_around_a_record_is_a_loss():
    assert salvage('noise {"uuid":1}', KEYS) == ([{"uuid": 1}], True)
    assert salvage('{"uuid":1} noise', KEYS) == ([], True)
    assert salvage("noise", KEYS) == ([], True)
    assert salvage("", KEYS) == ([], False)


def test_a_hopeless_line_is_given_up():
    text = '{"a":[' * 3000
    assert salvage(text + '{"uuid":1}', KEYS) == ([{"uuid": 1}], True)
    assert salvage(text + '{"uuid":1}!', KEYS) == ([], True)


def test_thousands_of_objects_in_a_cut_record_do_not_hide_the_one_behind_it():
    cut = '{"uuid":"a","blocks":[' + '{"type":"text"},' * 50_000
    assert salvage(cut + '{"uuid":"b"}', KEYS) == ([{"uuid": "b"}], True)
