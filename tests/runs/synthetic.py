"""Run folders that look like a default ablation, made through the writer that real runs use."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.runs import PER_QUERY_SCHEMA, RunWriter, as_json, run_id

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DEPTH = 50
BASE = "half_life_7d"
TASKS = ("first_touch", "all_touches")
# arm → (group, how much nearer the top its answers stand than those of a random ranking, in log e)
ARMS: dict[str, tuple[str, float]] = {
    "random": ("floor", 0.0),
    "popularity": ("floor", 1.6),
    "recency": ("floor", 1.75),
    "bm25": ("floor", 2.3),
    "ungated": ("pairs", 2.45),
    "window_cap_30": ("pairs", 2.75),
    "event_weight": ("pairs", 3.02),
    "npmi_admission": ("pairs", 2.86),
    "half_life_1d": ("half_life", 2.4),
    "half_life_3d": ("half_life", 2.75),
    "half_life_7d": ("half_life", 2.9),
    "half_life_30d": ("half_life", 3.05),
    "half_life_180d": ("half_life", 2.95),
    "half_life_none": ("half_life", 2.8),
    "learned_documented": ("half_life", 2.85),
    "learned_observed": ("half_life", 2.93),
    "power_law": ("half_life", 3.0),
    "two_time_scales": ("half_life", 3.06),
    "potentiation_off": ("synapse", 2.9),
    "hub_factor_off": ("spread", 2.6),
    "one_hop": ("spread", 2.88),
    "two_hops": ("spread", 2.5),
    "row_normalised": ("spread", 3.2),
    "pagerank": ("spread", 3.1),
    "budget_neutral": ("injection", 2.8),
    "additive": ("injection", 2.95),
    "dense": ("floor", 2.4),
    "bm25_dense_rrf": ("floor", 2.5),
    "oracle": ("ceiling", 4.6),
    "directed_off": ("spread", 2.87),
}
PARTS = ("decay", "hops")
SETS = {
    "with no part": (),
    "with decay": ("decay",),
    "with hops": ("hops",),
    "with decay+hops": PARTS,
}
ARMS |= {arm: ("attribution", 2.4 + 0.4 * ("decay" in on)) for arm, on in SETS.items()}
DEFAULT = tuple(arm for arm in ARMS if arm not in SETS)
FAILED, INERT = "dense", "potentiation_off"
HALF_LIVES = {f"half_life_{days}d": float(days) for days in (1, 3, 7, 30, 180)}


def per_query(arm: str, strength: float, seed: int, sessions: int, queries: int) -> pl.DataFrame:
    """Rows of one arm: a query's difficulty and its session's are the same for every arm."""
    shared = np.random.default_rng(seed)
    own = np.random.default_rng([seed, *arm.encode()])
    rows: list[dict[str, Any]] = []
    for task in TASKS:
        ease = shared.normal(0, 0.5, sessions)
        for query in range(queries):
            cluster = query % sessions
            count = int(shared.integers(1, 5))
            hard = shared.uniform(2.0, math.log(4000), count) - ease[cluster]
            gap = np.exp(hard - strength + own.normal(0, 0.35, count) + 0.4 * (task != TASKS[0]))
            ranks = np.sort(1 + gap.astype(int))
            ranks = np.maximum.accumulate(ranks - np.arange(count)) + np.arange(count)
            ranks = np.where(ranks > DEPTH, 0, ranks)
            found = np.concatenate([ranks[ranks > 0], ranks[ranks == 0]])
            spent = np.cumsum(own.lognormal(5.4, 0.7, DEPTH)).astype(int)
            rows.append(
                {
                    "task": task,
                    "arm": arm,
                    "query_id": f"{task}-{query}",
                    "cluster": cluster,
                    "ranks": found.tolist(),
                    "grades": [1] * count,
                    "gold_tokens": [int(spent[rank - 1]) if rank else 0 for rank in found],
                    "optimistic": found.tolist(),
                    "pessimistic": found.tolist(),
                    "returned": DEPTH,
                    "tokens": float(spent[9]),
                    "tie": bool(own.random() < 0.05),
                    "edges": 0 if ARMS[arm][0] == "floor" else int(spent[9]) // 10,
                }
            )
    return pl.DataFrame(rows, schema=PER_QUERY_SCHEMA)


def base_of(arm: str) -> str | None:
    """As the default ablation has it: the base has none, sets of parts start from no part."""
    own = {BASE: None, "additive": "bm25", "with no part": None}
    return own.get(arm, "with no part" if arm in SETS else BASE)


def attribution(kind: str) -> dict[str, Any]:
    """What result.json says of an attribution."""
    return {"kind": kind, "parts": list(PARTS), "sets": {a: list(on) for a, on in SETS.items()}}


def entry(arm: str, group: str) -> dict[str, Any]:
    """An arm's item of result.json."""
    return {
        "arm": arm,
        "base": base_of(arm),
        "group": group,
        "ms_per_query": round(0.1 + len(arm) / 40, 3),
        "config_id": hashlib.sha256(arm.encode()).hexdigest()[:12],
        "parameters": {
            "half_life_days": HALF_LIVES.get(arm),
            "change": None if arm in HALF_LIVES or arm == "half_life_none" else arm,
        },
        "rankings": {},
    }


def rankings(frame: pl.DataFrame) -> dict[str, str]:
    """A hash a task of what an arm ranked."""
    return {
        task: hashlib.sha256(str(frame.filter(task=task)["ranks"].to_list()).encode()).hexdigest()
        for task in TASKS
    }


def result_of(name: str, sessions: int, queries: int, attribution: Any = None) -> dict[str, Any]:
    """result.json without status and arms."""
    return {
        "experiment": "ablation",
        "run_id": "",
        "dataset": {
            "name": name,
            "sha256": hashlib.sha256(name.encode()).hexdigest(),
            "events": queries * 9,
            "sessions": sessions,
            "nodes": 800,
            "windows": 1200,
            "window_first": "2025-01-04T09:00:00Z",
            "window_last": "2025-11-21T17:30:00Z",
        },
        "tasks": [
            {
                "task": task,
                "n": queries,
                "excluded": {"no node in view": 12},
                "clusters": sessions,
                "headline": "any@10",
            }
            for task in TASKS
        ],
        "metrics": ["any@10", "R@10", "nDCG@10", "RR@10"],
        "seed": 0,
        "commit": "0123456789abcdef0123456789abcdef01234567",
        "attribution": attribution,
        "statistics": {"resamples": 400, "flips": 2000},
    }


def write_run(
    root: Path,
    name: str = "simulated",
    arms: Iterable[str] = DEFAULT,
    failed: Iterable[str] = (FAILED,),
    seed: int = 0,
    sessions: int = 40,
    queries: int = 160,
    attribution: Any = None,
    publish: bool = True,
) -> Path:
    """Write a run folder; with ``publish=False`` stop as if interrupted before the renaming."""
    config = {"exp": "ablation", "dataset": {"name": name}, "seed": seed, "arms": list(arms)}
    result = result_of(name, sessions, queries, attribution)
    result["run_id"] = run_id(config, result["dataset"]["sha256"], "1")
    with RunWriter(root / "ablation" / result["run_id"], config) as writer:
        for arm in arms:
            group = ARMS[arm][0]
            if arm in failed:
                try:
                    raise RuntimeError("no embedding model is installed")
                except RuntimeError as error:
                    writer.fail_arm(entry(arm, group), error)
                continue
            drawn = BASE if arm == INERT else arm
            frame = per_query(drawn, ARMS[drawn][1], seed + sum(name.encode()), sessions, queries)
            frame = frame.with_columns(arm=pl.lit(arm))
            writer.write_arm({**entry(arm, group), "rankings": rankings(frame)}, frame)
        if not publish:
            return writer.partial
        writer.assemble(result, list(arms), {"env.json": as_json({}), "qrels.trec": ""})
        return writer.publish()
