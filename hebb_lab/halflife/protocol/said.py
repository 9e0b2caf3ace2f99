"""What was asked of which log, for result.json, and what could not be fitted to it."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.halflife.protocol.plain import plain
from hebb_lab.halflife.protocol.splits import blocks_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.protocol.judge import Bench
    from hebb_lab.halflife.protocol.sample import Block
    from hebb_lab.halflife.protocol.splits import Split


NAMED = 3
"""Models that a warning names."""
_NUMBER = re.compile(r"\d[\d,.]*(?<=\d)")
_WHOLE = 10**9  # stands for the whole log where blocks have numbers


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
        "truth": truth_of(history),
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


def truth_of(history: History) -> dict[str, Any] | None:
    """What a world was drawn from, in days of wall time: half-lives of groups, or the exponent.

    Returns:
        ``groups``: name → median, low and high (middle 90 %) over the edges, null without decay;
        ``exponent``: of a power law. None on a real log, on a clock of its own, and under a law
        whose half-lives follow from the count.
    """
    truth = history.truth
    if truth is None or truth.law == "learned_observed" or history.clock.name != "wall":
        return None
    ends = np.asarray(history.graph.edge_index).T
    if ends.shape != truth.pairs.shape or (ends != truth.pairs).any():
        return None
    groups = {}
    for number, name in enumerate(history.groups):
        own = truth.half_life_days[history.group == number]
        own = own[~np.isnan(own)]
        if len(own):
            low, median, high = np.quantile(own, [0.05, 0.5, 0.95], method="inverted_cdf")
            groups[name] = {"median": median, "low": low, "high": high}
    exponent = truth.power_exponent if truth.law == "power_law" else None
    return {"groups": plain(groups), "exponent": exponent}


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
        "cases_without_control": sum(block.cases.alone for block in blocks),
        "rows": rows,
    }


def failures(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """One sentence for each kind of failure: which models, on how many blocks, and why.

    Reasons that differ in their numbers alone are of one kind; the one that rests on most of the
    log stands for it.

    Args:
        entries: of the models, as they are kept.
    """
    kinds: dict[str, list[tuple[int, str, str]]] = {}
    for entry in entries:
        told = [(split["split"], split["fell_back"]) for split in entry["splits"]]
        if entry["final"]:
            told.append((_WHOLE, entry["final"]["fell_back"]))
        for where, reason in told:
            if reason:
                kind = _NUMBER.sub("0", reason)
                kinds.setdefault(kind, []).append((where, entry["arm"], reason))
    return [_failure(found) for found in kinds.values()]


def _failure(found: Sequence[tuple[int, str, str]]) -> str:
    """Failures of one kind: (block, model, reason) of each."""
    models = list(dict.fromkeys(model for _, model, _ in found))
    who = ", ".join(models[:NAMED])
    if len(models) > NAMED:
        who = f"{len(models)} models ({who}, …)"
    blocks = sorted({block for block, *_ in found if block != _WHOLE})
    parts = []
    if blocks:
        on = f"block {blocks[0]}" if len(blocks) == 1 else f"{len(blocks)} blocks"
        parts.append(f"fell back on {on}")
    if any(block == _WHOLE for block, *_ in found):
        parts.append("could not be fitted to the whole log")
    _, _, last = max(found)
    more = " (all the numbers are in result.json)" if len({r for *_, r in found}) > 1 else ""
    return f"{who} {' and '.join(parts)}: {last}{more}"
