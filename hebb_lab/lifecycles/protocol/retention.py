"""What share of memories is left after days without a touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.lifecycles.replay.story import DAY_US

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.lifecycles.replay.living import Living


def retention_of(living: Living, days: int, half_lives: Sequence[float]) -> dict[str, Any]:
    """Shares of memories whose decay score is not below the threshold, day by day after the end.

    share(d) = memories that are there, not superseded, with score(end + d) ≥ forget_below, over
    all that were ever written; beside it the same of those that some question needed.

    Args:
        living: a life that has ended.
        days: the curve goes from 0 to so many.
        half_lives: days; the rules' own is added.

    Returns:
        half_lives: days; threshold; memories, needed: counts; days: [D];
        kept, kept_needed: [half-life][D] shares; None where nothing was needed.
    """
    from hebb_lab.memory.decay import scores

    rules, state, story = living.life.rules, living.store.state, living.story
    own = [float(d) for d in dict.fromkeys([rules.half_life_days, *map(float, half_lives)])]
    asked = [items for paper in (story.exam, story.practice) for items in paper.needed]
    named = np.unique(np.concatenate([np.zeros(0, np.int64), *asked]))
    needed = named[named >= 0]
    row_of = living.held.row_of
    rows, wanted = row_of[row_of >= 0], row_of[needed]
    end_us, total = max(state.clock_us, 0), len(row_of)
    here = state.alive & ~state.column("superseded")
    kept = np.zeros((len(own), days + 1))
    kept_needed = np.zeros((len(own), days + 1))
    for day in range(days + 1):
        left = scores(state, rules, end_us + day * DAY_US, own)  # [count, C]
        there = (left >= rules.forget_below) & here[:, None]
        kept[:, day] = there[rows].sum(axis=0) / max(total, 1)
        kept_needed[:, day] = there[wanted[wanted >= 0]].sum(axis=0) / max(len(needed), 1)
    return {
        "half_lives": own, "threshold": rules.forget_below, "memories": total,
        "needed": len(needed), "days": list(range(days + 1)), "kept": _rounded(kept),
        "kept_needed": _rounded(kept_needed) if len(needed) else None,
    }  # fmt: skip


def _rounded(shares: np.ndarray[Any, Any]) -> list[list[float]]:
    return [[round(float(share), 6) for share in row] for row in shares]
