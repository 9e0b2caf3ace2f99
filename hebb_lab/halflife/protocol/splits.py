"""Expanding splits in time: what a model may see, and the block that it is scored on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.clock import DAY_US

if TYPE_CHECKING:
    from hebb_lab.halflife.facts.history import History

LEAST_BLOCKS = 2
PARTS = 40
LEAST_STRIDE, MOST_STRIDE = 0.5, 7.0


class Split(NamedTuple):
    """A block that is scored, by models that were fitted to the recalls before it.

    number: of the block, from 1. first, until: its recalls are [first, until).
    """

    number: int
    first: int
    until: int


def splits_of(history: History, blocks: int) -> list[Split]:
    """The blocks of equally many recalls but the first, which only trains.

    The blocks divide the recalls after the burn-in (TimeSeriesSplit; fitting.md §4).

    Raises:
        InputError: fewer recalls than blocks.
    """
    recalls = history.recalls - history.entry
    if recalls < blocks:
        raise InputError(*_too_short(recalls, blocks, history.entry > 0))
    cuts = [history.entry + round(recalls * block / blocks) for block in range(blocks + 1)]
    return [Split(block, cuts[block], cuts[block + 1]) for block in range(1, blocks)]


def _too_short(recalls: int, blocks: int, burnt_in: bool) -> tuple[str, str]:
    """(what is wrong, what to do) about a log that cannot be cut into the blocks."""
    found = "there is one recall" if recalls == 1 else f"there are {recalls} recalls"
    cures = ["Give a longer log", "finer windows"]
    cures += ["fewer halflife.blocks"] if recalls >= LEAST_BLOCKS else []
    cures += ["less halflife.burn_in_days"] if burnt_in else []
    after = " after halflife.burn_in_days" if burnt_in else ""
    cure = f"{', '.join(cures[:-1])} or {cures[-1]}"
    return f"{found}{after}, too few to cut into {blocks} blocks", cure


def blocks_of(history: History, splits: list[Split]) -> list[dict[str, Any]]:
    """The blocks for result.json, the first one too; times in µs, the last block's end included.

    ``reactivations`` counts all of a block, scored or thinned out.
    """
    bounds = [(0, history.entry, splits[0].first), *splits]
    found = []
    for number, first, until in bounds:
        end = history.recall_us[until] if until < history.recalls else history.recall_us[-1] + 1
        found.append(
            {
                "number": number,
                "first_us": int(history.recall_us[first]),
                "until_us": int(end),
                "recalls": until - first,
                "reactivations": len(history.reactivations(first, until)),
                "scored": number > 0,
            }
        )
    return found


def stride_of(history: History, asked: float | None) -> float:
    """Days between checkpoints: as asked, or a fortieth of the log, from half a day to a week."""
    if asked is not None:
        return float(asked)
    span = float(history.recall_us[-1] - history.recall_us[0]) / DAY_US
    return float(np.clip(span / PARTS, LEAST_STRIDE, MOST_STRIDE))
