"""What is scored: the same cases, rows and spells for every model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.halflife.facts.cases import Cases, draw_cases
from hebb_lab.halflife.facts.clock import DAY_US
from hebb_lab.halflife.facts.draws import uniform
from hebb_lab.halflife.facts.rows import Rows, count_rows, draw_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.halflife.facts.history import Asked, History
    from hebb_lab.halflife.protocol.settings import HalfLifeSettings
    from hebb_lab.halflife.protocol.splits import Split

ROW_KEYS = (
    "horizon", "block", "checkpoint", "time_us", "edge", "group", "since_days", "count", "age_days",
    "again",
)  # fmt: skip
CASE_KEYS = ("block", "recall", "time_us", "edge", "group", "controls")
"""Columns of rows.parquet and cases.parquet that are no model's."""
SPELLS = 2000
_SPELL_USE = 1 << 22


@dataclass(frozen=True)
class Block:
    """What is scored of one block.

    Args:
        split: the block.
        cases: re-activations with their controls.
        rows: of each horizon, in the order of the settings.
        spells: right after some activations: how long until the next?
    """

    split: Split
    cases: Cases
    rows: tuple[Rows, ...]
    spells: Asked


def draw(
    history: History, splits: Sequence[Split], settings: HalfLifeSettings, stride: float, seed: int
) -> list[Block]:
    """The blocks' samples; each block has its share of the maxima of the whole run."""
    events = [len(history.reactivations(split.first, split.until)) for split in splits]
    known = [
        [count_rows(history, s.first, s.until, days, stride) for days in settings.horizons]
        for s in splits
    ]
    totals = np.sum(known, axis=0)
    blocks = []
    for split, count, sizes in zip(splits, events, known, strict=True):
        cases = draw_cases(
            history, split.first, split.until, controls=settings.controls,
            most=_share(settings.cases_max, count, sum(events)), seed=seed,
        )  # fmt: skip
        rows = tuple(
            draw_rows(
                history, split.first, split.until, days, stride_days=stride,
                most=_share(settings.rows_max, size, int(total)), seed=seed,
            )
            for days, size, total in zip(settings.horizons, sizes, totals, strict=True)
        )  # fmt: skip
        spells = spells_of(history, split, splits, seed)
        blocks.append(Block(split, cases, rows, spells))
    return blocks


def _share(most: int, own: int, total: int) -> int:
    return max(1, math.ceil(most * own / max(total, 1)))


def spells_of(history: History, split: Split, splits: Sequence[Split], seed: int) -> Asked:
    """The moments right after some of the activations in a block, births too."""
    recall = history.event_recall
    inside = (recall >= splits[0].first) & (recall < splits[-1].until)
    inside &= history.graph.event_strength.numpy() >= 0
    own = np.flatnonzero(inside & (recall >= split.first) & (recall < split.until))
    share = SPELLS / max(int(inside.sum()), 1)
    kept = uniform(seed, recall[own], own, _SPELL_USE) < share
    events = own[kept]
    return history.asked(history.edge_of[events], history.recall_us[recall[events]] + 1)


def case_frame(history: History, blocks: Sequence[Block]) -> pl.DataFrame:
    """The columns of cases.parquet that are no model's."""
    frames = []
    for block in blocks:
        edge, recall = block.cases.edge(), block.cases.recall()
        columns: dict[str, Any] = {
            "block": np.full(len(edge), block.split.number, np.int32),
            "recall": recall,
            "time_us": history.recall_us[recall],
            "edge": edge,
            "group": _names(history, edge),
            "controls": (block.cases.live.sum(axis=1) - 1).astype(np.int32),
        }
        frames.append(pl.DataFrame(columns))
    return pl.concat(frames)


def row_frame(history: History, blocks: Sequence[Block], horizons: Sequence[float]) -> pl.DataFrame:
    """The columns of rows.parquet that are no model's: by horizon, then by block.

    since_days (the last activation) and age_days are of wall time, count is the activations so far.
    """
    born_us = history.recall_us[history.birth()]
    frames = []
    for place, days in enumerate(horizons):
        for block in blocks:
            moments, again, checkpoint, _ = block.rows[place]
            edge, last = moments.edge, history.recall_us[history.event_recall[moments.event]]
            columns: dict[str, Any] = {
                "horizon": np.full(len(edge), float(days)),
                "block": np.full(len(edge), block.split.number, np.int32),
                "checkpoint": checkpoint,
                "time_us": moments.time_us,
                "edge": edge,
                "group": _names(history, edge),
                "since_days": (moments.time_us - last) / DAY_US,
                "count": history.again(moments).astype(np.int64) + 1,
                "age_days": (moments.time_us - born_us[edge]) / DAY_US,
                "again": again,
            }
            frames.append(pl.DataFrame(columns))
    return pl.concat(frames)


def _names(history: History, edge: Any) -> pl.Series:
    """The group of each edge."""
    return pl.Series(np.array(history.groups, object)[history.group[edge]], dtype=pl.String)
