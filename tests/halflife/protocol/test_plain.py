"""Estimates survive JSON, open ends and all."""

import json
import math

from hebb_lab.halflife.objectives.profile import Estimate
from hebb_lab.halflife.protocol.plain import estimates, number, plain


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
