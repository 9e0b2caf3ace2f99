"""Estimates survive JSON, open ends and all."""

import json
import math

from hebb_lab.halflife.objectives.profile import Estimate
from hebb_lab.halflife.protocol.plain import estimates, number, plain, with_steadiness


def test_open_ends_and_missing_intervals_can_be_told_apart_in_json():
    told = estimates(
        {
            "closed": Estimate(2.0, 1.0, 3.0, 7),
            "open above": Estimate(2.0, 1.0, math.inf, 7, "not identifiable above 1 days"),
            "open": Estimate(2.0, 0.0, math.inf, 7),
            "none": Estimate(math.nan, math.nan, math.nan, 0),
        }
    )
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    ends = {name: (e["low"], e["high"]) for name, e in told.items()}
    assert ends == {
        "closed": (1.0, 3.0), "open above": (1.0, None), "open": (0.0, None), "none": (None, None),
    }  # fmt: skip
    assert told["open above"]["verdict"] == "not identifiable above 1 days"


def test_null_is_read_as_nan():
    assert math.isnan(number(plain(math.inf)))
    assert number(plain(2)) == 2.0


def parts(*values):
    return [{"half_life[a]": {"value": value, "verdict": ""}} for value in values]


def told(final, *values, name="half_life[a]"):
    return with_steadiness({name: final}, parts(*values))[name]["verdict"]


def test_fits_within_a_factor_of_four_are_steady():
    assert told({"value": 9.0, "verdict": ""}, 4.0, 8.0, 15.0) == ""


def test_fits_beyond_a_factor_of_four_are_not_and_an_earlier_word_stays():
    assert told({"value": 9.0, "verdict": "in sessions"}, 2.0, 8.0, 9.0) == (
        "in sessions; not steady: 2 to 9 in the fits before the blocks"
    )


def test_two_fits_or_none_are_too_few_to_tell():
    assert told({"value": 9.0, "verdict": ""}, 1.0, 90.0, None) == ""
    assert told({"value": 9.0, "verdict": ""}) == ""


def test_what_is_no_half_life_and_what_has_no_value_is_left_alone():
    assert told({"value": 9.0, "verdict": ""}, 1.0, 8.0, 90.0, name="share_weight[a]") == ""
    assert told({"value": None, "verdict": "few"}, 1.0, 8.0, 90.0) == "few"
