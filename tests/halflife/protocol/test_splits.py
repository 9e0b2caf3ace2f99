"""Blocks hold equally many recalls, and the first is never scored."""

from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.protocol.splits import blocks_of, splits_of, stride_of
from tests.halflife.small import history, world


def test_blocks_hold_equally_many_recalls_and_cover_them_all():
    facts = history(world()[0])
    splits = splits_of(facts, 6)
    sizes = [split.until - split.first for split in splits]
    assert [split.number for split in splits] == [1, 2, 3, 4, 5]
    assert max(sizes) - min(sizes) <= 1
    assert abs(splits[0].first - sizes[0]) <= 1
    assert splits[-1].until == facts.recalls
    assert [s.until for s in splits[:-1]] == [s.first for s in splits[1:]]


def test_blocks_divide_what_comes_after_the_burn_in():
    facts = history(world()[0], burn_in_days=30.0)
    splits = splits_of(facts, 2)
    assert splits[0].first == pytest.approx((facts.entry + facts.recalls) / 2, abs=1)
    blocks = blocks_of(facts, splits)
    assert blocks[0]["first_us"] == facts.recall_us[facts.entry]
    assert [block["scored"] for block in blocks] == [False, True]
    assert sum(block["recalls"] for block in blocks) == facts.recalls - facts.entry


def test_the_blocks_of_the_result_meet_in_time_and_count_all_re_activations():
    facts = history(world()[0])
    blocks = blocks_of(facts, splits_of(facts, 4))
    assert [b["until_us"] for b in blocks[:-1]] == [b["first_us"] for b in blocks[1:]]
    assert blocks[-1]["until_us"] == facts.recall_us[-1] + 1
    assert sum(b["reactivations"] for b in blocks) == len(facts.reactivations(0, facts.recalls))


def test_fewer_recalls_than_blocks_is_an_error_that_says_so():
    facts = history(world()[0])
    said = f"there are {facts.recalls} recalls, too few to cut into 100000 blocks"
    with pytest.raises(InputError, match=said) as raised:
        splits_of(facts, 100_000)
    assert "fewer halflife.blocks" in str(raised.value)
    assert "burn_in" not in str(raised.value)
    late = history(world()[0], burn_in_days=30.0)
    with pytest.raises(
        InputError, match=r"recalls after halflife\.burn_in_days, too few"
    ) as raised:
        splits_of(late, 100_000)
    assert "less halflife.burn_in_days" in str(raised.value)


def test_one_recall_cannot_be_cut_into_fewer_blocks():
    facts = SimpleNamespace(recalls=1, entry=0)
    with pytest.raises(InputError, match="there is one recall, too few to cut into 6") as raised:
        splits_of(facts, 6)
    assert str(raised.value).endswith("Give a longer log or finer windows.")


@pytest.mark.parametrize(
    ("days", "stride"), [(1, 0.5), (20, 0.5), (80, 2.0), (280, 7.0), (9999, 7)]
)
def test_checkpoints_are_a_fortieth_of_the_log_apart_from_half_a_day_to_a_week(days, stride):
    facts = SimpleNamespace(recall_us=np.array([0, days * DAY_US]))
    assert stride_of(facts, None) == pytest.approx(stride)
    assert stride_of(facts, 3) == 3.0
