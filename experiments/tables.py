"""Tables in the README files, made from the leaderboards of the experiments.

    python experiments/tables.py           # renew them
    python experiments/tables.py --check   # exit code 1 if one is out of date

A table stands between ``<!-- numbers: EXPERIMENT TASK METRIC ARM ARM … -->`` and
``<!-- /numbers -->``; a data set other than the first is named as EXPERIMENT@DATASET. Of the
half-life experiments there are two more, which end in the same way:

    <!-- losses: EXPERIMENT@DATASET MODEL MODEL … -->    losses of models on one data set
    <!-- half-lives: EXPERIMENT MODEL DATASET … -->      half-lives and losses of one model
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(
    r"(<!-- (numbers|losses|half-lives): (.+?) -->\n)(.*?)(<!-- /numbers -->)", re.DOTALL
)
PARTIAL, HEADLINE = "partial-likelihood loss", "log loss@7d"


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
    kinds = {"numbers": table, "losses": losses, "half-lives": half_lives}
    return BLOCK.sub(lambda found: f"{found[1]}\n{kinds[found[2]](found[3])}\n\n{found[5]}", text)


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


def rows_of(name: str, dataset: str) -> dict[tuple[str, str], dict[str, Any]]:
    """(arm, metric) → row of one data set of a half-life experiment."""
    rows = json.loads((HERE / name / "leaderboard.json").read_text())["rows"]
    return {(row["arm"], row["metric"]): row for row in rows if row["dataset"] == dataset}


def losses(asked: str) -> str:
    """Both losses of models, with their differences to the heuristic and to the rate."""
    experiment, *models = asked.split()
    rows = rows_of(*experiment.split("@", 1))
    lines = [
        "| model | partial-likelihood loss | Δ heuristic | Δ rate | log loss 7 d | Δ heuristic"
        " | Δ rate |",
        "| :-- |" + " --: |" * 6,
    ]
    for model in models:
        cells = []
        for metric in (PARTIAL, HEADLINE):
            row = rows.get((model, metric), {})
            cells += [_number(row.get("value")), _delta(row, "heuristic"), _delta(row, "rate")]
        lines.append(f"| `{model}` | {' | '.join(cells)} |")
    legend = (
        "In nats; lower is better. Δ: differences to `heuristic_deployed` and to `rate` on the same"
        " cases and rows, brackets: 99 % intervals."
    )
    return "\n".join([*lines, "", legend])


def half_lives(asked: str) -> str:
    """The half-lives that a model finds on each data set, and its loss beside its rivals'."""
    name, model, *datasets = asked.split()
    lines = [
        f"| data | half-life by `{model}` | re-activations | partial-likelihood loss | heuristic"
        " | rate |",
        "| :-- | :-- | --: | --: | --: | --: |",
    ]
    for dataset in datasets:
        rows = rows_of(name, dataset)
        own = {m: row for (arm, m), row in rows.items() if arm == model}
        lives = [row for m, row in own.items() if m.startswith("half-life[")]
        told = "; ".join(_life(row, len(lives) > 1) for row in lives)
        events = sum(row["n"] for row in lives)
        three = [_number(rows.get((m, PARTIAL), {}).get("value"))
                 for m in (model, "heuristic_deployed", "rate")]  # fmt: skip
        lines.append(f"| {dataset} | {told} | {events:,} | {' | '.join(three)} |")
    return "\n".join(lines)


def _life(row: dict[str, Any], several: bool) -> str:
    """One half-life with its interval, or the verdict."""
    group = row["metric"].removeprefix("half-life[").removesuffix("]") + " " if several else ""
    verdict = row.get("verdict") or ""
    if row["value"] is None or verdict.startswith("not identifiable"):
        return group + (verdict or "none")
    low, high = row["interval"]
    ends = "" if low is None or high is None else f" [{low:.3g}, {high:.3g}]"
    return f"{group}{row['value']:.3g} d{ends}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _delta(row: dict[str, Any], rival: str) -> str:
    value, ends = row.get(f"delta_{rival}"), row.get(f"delta_{rival}_interval")
    if value is None:
        return "–"
    told = f"{value:+.4f}" + (" [{:+.4f}, {:+.4f}]".format(*ends) if ends else "")
    return told.replace("-", "−")


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
