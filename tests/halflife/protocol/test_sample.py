"""What is scored lies in its block, is thinned to the maxima, and names what it is."""

import numpy as np
import polars as pl

from hebb_lab.halflife.protocol import sample
from hebb_lab.halflife.protocol.settings import HalfLifeSettings
from hebb_lab.halflife.protocol.splits import splits_of
from tests.halflife.small import history, world

ASKED = HalfLifeSettings(blocks=4, horizons=(7.0, 1.0), controls=5)


def drawn(**asked):
    facts = history(world(edges=60)[0])
    settings = HalfLifeSettings(**{**vars(ASKED), **asked})
    splits = splits_of(facts, settings.blocks)
    return facts, sample.draw(facts, splits, settings, 2.0, 0)


def test_cases_rows_and_spells_lie_in_their_blocks():
    facts, blocks = drawn()
    for block in blocks:
        recall = block.cases.recall()
        assert ((recall >= block.split.first) & (recall < block.split.until)).all()
        start = facts.recall_us[block.split.first]
        end = facts.recall_us[min(block.split.until, facts.recalls - 1)]
        for rows in block.rows:
            assert ((rows.moments.time_us > start) & (rows.moments.time_us <= end)).all()
        assert ((block.spells.time_us > start) & (block.spells.time_us <= end + 1)).all()


def test_the_maxima_hold_for_the_whole_run_and_every_block_has_its_share():
    _, whole = drawn()
    _, thinned = drawn(cases_max=60, rows_max=300)
    cases = sum(len(block.cases.event) for block in whole)
    kept = [len(block.cases.event) for block in thinned]
    assert cases > 90
    assert 30 < sum(kept) < 90
    assert min(kept) > 0
    for place in range(2):
        sizes = [len(block.rows[place].again) for block in thinned]
        assert 200 < sum(sizes) < 400
        left_out = sum(block.rows[place].left_out for block in thinned)
        assert sum(sizes) + left_out == sum(len(block.rows[place].again) for block in whole)


def test_the_frames_have_a_line_for_everything_that_is_scored():
    facts, blocks = drawn()
    cases = sample.case_frame(facts, blocks)
    rows = sample.row_frame(facts, blocks, ASKED.horizons)
    assert tuple(cases.columns) == sample.CASE_KEYS
    assert tuple(rows.columns) == sample.ROW_KEYS
    assert cases.height == sum(len(block.cases.event) for block in blocks)
    assert rows["horizon"].unique(maintain_order=True).to_list() == [7.0, 1.0]
    assert set(rows["group"]) <= set(facts.groups)
    assert rows.select((pl.col("age_days") >= pl.col("since_days")).all()).item()
    assert rows["count"].min() >= 1
    first = rows.row(0, named=True)
    own = slice(facts.pointer[first["edge"]], facts.pointer[first["edge"] + 1])
    times = facts.recall_us[facts.event_recall[own]]
    assert first["count"] == (times < first["time_us"]).sum()
    soon = (times >= first["time_us"]) & (times < first["time_us"] + 7 * 86_400_000_000)
    assert first["again"] == bool(soon.any())
    last = times[times < first["time_us"]].max()
    assert np.isclose(first["since_days"], (first["time_us"] - last) / 86_400_000_000)
