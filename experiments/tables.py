"""Tables in the README files, made from the leaderboards of the experiments.

    python experiments/tables.py           # renew them
    python experiments/tables.py --check   # exit code 1 if one is out of date

A table stands between ``<!-- numbers: EXPERIMENT TASK METRIC ARM ARM … -->`` and
``<!-- /numbers -->``; a data set other than the first is named as EXPERIMENT@DATASET.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(r"(<!-- numbers: (.+?) -->\n)(.*?)(<!-- /numbers -->)", re.DOTALL)


def main(arguments: list[str]) -> int:
    """Renew or check every README."""
    stale = [path for path in readmes() if renewed(path.read_text()) != path.read_text()]
    for path in stale:
        if "--check" in arguments:
            sys.stdout.write(f"{path}: a table is out of date; python experiments/tables.py\n")
        else:
            path.write_text(renewed(path.read_text()))
    return 1 if stale and "--check" in arguments else 0


def readmes() -> list[Path]:
    """The README files that may hold tables."""
    return [HERE.parent / "README.md", *sorted(HERE.glob("*/README.md"))]


def renewed(text: str) -> str:
    """The text with every table made anew."""
    return BLOCK.sub(lambda found: found[1] + "\n" + table(found[2]) + "\n\n" + found[4], text)


def table(asked: str) -> str:
    """One table from its order: experiment, task, metric, arms."""
    experiment, task, metric, *arms = asked.split()
    name, _, dataset = experiment.partition("@")
    rows: list[dict[str, Any]] = json.loads((HERE / name / "leaderboard.json").read_text())["rows"]
    dataset = dataset or rows[0]["dataset"]
    chosen = {
        row["arm"]: row
        for row in rows
        if (row["dataset"], row["task"], row["metric"]) == (dataset, task, metric)
    }
    bases = [chosen[arm]["base"] for arm in arms if chosen[arm]["base"]]
    base = max(bases, key=bases.count, default="")
    counted = any(chosen[arm].get("edges_per_query") is not None for arm in arms)
    costs = ["tokens", "ms", *(["edges"] if counted else [])]
    head = f"| arm | {metric} | Δ | p | {' | '.join(costs)} |"
    rule = "| :-- |" + " --: |" * (3 + len(costs))
    legend = (
        f"Brackets: 95 % interval, whole clusters resampled. Δ: difference to `{base}` where no"
        " other arm is named; p: sign flips of whole clusters, Holm over the task."
    )
    lines = (line(chosen[arm], base, counted) for arm in arms)
    return "\n".join([head, rule, *lines, *(["", legend] if base else [])])


def line(row: dict[str, Any], base: str, counted: bool = False) -> str:
    """One arm, another base than ``base`` named; ``counted``: with the edges that it read."""
    low, high = row["ci95"]
    value = f"{row['value']:.3f} [{low:.3f}, {high:.3f}]"
    delta, p = "base", ""
    if row["base"]:
        delta = f"{row['delta']:+.3f}"
        if row["delta_ci95"]:
            delta += " [{:+.3f}, {:+.3f}]".format(*row["delta_ci95"])
        if row["inert"]:
            delta = "inert"
        if row["base"] != base:
            delta += f" to `{row['base']}`"
        p = "" if row["p_holm"] is None else f"{row['p_holm']:.3f}"
    cost = f"{row['tokens_per_query']:.0f} | {row['ms_per_query']:.3f}"
    if counted:
        edges = row.get("edges_per_query")
        cost += " | " + ("–" if edges is None else f"{edges:,.0f}")
    return f"| `{row['arm']}` | {value} | {delta.replace('-', '−')} | {p} | {cost} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
