"""What was asked of which log, for result.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.protocol.plain import plain
from hebb_lab.halflife.protocol.splits import blocks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.protocol.judge import Bench
    from hebb_lab.halflife.protocol.sample import Block
    from hebb_lab.halflife.protocol.splits import Split


def result_of(bench: Bench, splits: Sequence[Split], rules: SynapseRules) -> dict[str, Any]:
    """Settings as resolved, rules, blocks, groups, and how much is scored."""
    history, asked = bench.history, asdict(bench.settings)
    return {
        "settings": {**plain(asked), "stride_days": bench.stride},
        "rules": plain(asdict(rules)),
        "unit": history.clock.unit,
        "horizons": [float(days) for days in bench.settings.horizons],
        "blocks": blocks_of(history, list(splits)),
        "groups": _groups(history),
        "pairs": history.edges,
        "recalls": history.recalls,
        "reactivations": len(history.reactivations(0, history.recalls)),
        "scored": _scored(bench.blocks, bench.settings.horizons),
    }


def _groups(history: History) -> dict[str, dict[str, int]]:
    """Pairs and re-activations of each group."""
    events = history.group[history.edge_of[history.reactivations(0, history.recalls)]]
    counts = np.bincount(events, minlength=len(history.groups)).tolist()
    pairs = np.bincount(history.group, minlength=len(history.groups)).tolist()
    return {
        name: {"pairs": pairs[i], "reactivations": counts[i]}
        for i, name in enumerate(history.groups)
    }


def _scored(blocks: Sequence[Block], horizons: Sequence[float]) -> dict[str, Any]:
    """How much is scored, and what was thinned out of it."""
    rows = [
        {
            "horizon": float(days),
            "rows": sum(len(block.rows[place].checkpoint) for block in blocks),
            "again": sum(int(block.rows[place].again.sum()) for block in blocks),
            "thinned_out": sum(block.rows[place].left_out for block in blocks),
        }
        for place, days in enumerate(horizons)
    ]
    return {
        "cases": sum(len(block.cases.event) for block in blocks),
        "cases_thinned_out": sum(block.cases.left_out for block in blocks),
        "rows": rows,
    }
