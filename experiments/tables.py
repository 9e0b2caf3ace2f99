"""Tables in the README files, made from the leaderboards of the experiments.

    python experiments/tables.py           # renew them
    python experiments/tables.py --check   # exit code 1 if one is out of date

A table stands between ``<!-- numbers: EXPERIMENT TASK METRIC ARM ARM … -->`` and
``<!-- /numbers -->``; a data set other than the first is named as EXPERIMENT@DATASET. There are
more kinds, which end in the same way. Of half-life experiments:

    <!-- losses: EXPERIMENT@DATASET MODEL MODEL … -->    losses of models on one data set
    <!-- half-lives: EXPERIMENT MODEL DATASET … -->      half-lives and losses of one model

and of layers experiments, whose runs are kept as cases:

    <!-- layers: EXPERIMENT/CASE TASK METRIC -->   what each layer is worth, and what it found
    <!-- arms: EXPERIMENT TASK CASE:ARM … -->      arms of cases, with intervals
    <!-- tasks: EXPERIMENT TASK,TASK CASE:ARM … -->         the same arms on several tasks
    <!-- categories: EXPERIMENT TASK METRIC CASE:ARM … -->  the same by the kind of question
    <!-- changes: EXPERIMENT/CASE TASK TABLE -->   what changes a score in a table of layers.md

and of memory experiments:

    <!-- silence: EXPERIMENT TASK METRIC CASE:ARM … -->  arms after days of silence
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(
    r"(<!-- (numbers|losses|half-lives|layers|arms|tasks|categories|changes|silence): (.+?) -->\n)"
    r"(.*?)(<!-- /numbers -->)",
    re.DOTALL,
)
PARTIAL, HEADLINE = "partial-likelihood loss", "log loss@7d"
CUT = ("nDCG@10", "R@10", "any@10", "all@10")


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
    kinds = {
        "numbers": table, "losses": losses, "half-lives": half_lives, "layers": layers,
        "arms": arms, "tasks": tasks, "categories": categories, "changes": changes,
        "silence": silence,
    }  # fmt: skip
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


def layers(asked: str) -> str:
    """What each layer is worth under one metric, in three ways, and what it found."""
    place, task, metric = asked.split()
    lines = [
        "| layer | added to the base | kept in the full stack | Shapley value | listed | relevant"
        " | in the ten | relevant in the ten | edges |",
        "| :-- |" + " --: |" * 8,
    ]
    for row in kept(place, "layers")["layers"]:
        if row["task"] == task:
            told = [effect(row["effects"][metric][way]) for way in ("added", "kept", "shapley")]
            done = [
                f"{row['work'][name]:,}"
                for name in ("listed", "gold", "listed_at_10", "gold_at_10", "edges")
            ]
            lines.append(f"| {row['layer']} | {' | '.join([*told, *done])} |")
    legend = (
        f"Δ {metric}, brackets: 95 % interval, whole clusters resampled; **bold**: told from chance"
        " (0 is outside of it, and p < 0.05 by sign flips of whole clusters, Holm over the layers)."
        " Listed: what the layer alone, added to the base, brings into the list that direct search"
        " had not there, and into its first ten."
    )
    return "\n".join([*lines, "", legend])


def arms(asked: str) -> str:
    """Arms of cases under four metrics, each against its base."""
    experiment, task, *names = asked.split()
    lines = [f"| run | arm | {' | '.join(CUT)} | Δ {CUT[0]} | base |",
             "| :-- | :-- |" + " --: |" * 5 + " :-- |"]  # fmt: skip
    for name in names:
        case, arm = name.split(":")
        rows = arm_rows(f"{experiment}/{case}", task, arm)
        cells = [f"{rows[metric]['value']:.3f}" for metric in CUT]
        for place in (0, 1):
            cells[place] += " [{:.3f}, {:.3f}]".format(*rows[CUT[place]]["ci95"])
        change = effect(standing(f"{experiment}/{case}", task, arm))
        base = rows[CUT[0]]["base"] or ""
        lines.append(f"| {case} | `{arm}` | {' | '.join(cells)} | {change} | {base} |")
    legend = (
        "Brackets: 95 % interval, whole clusters resampled; **bold**: told from chance, by sign"
        " flips of whole clusters, Holm over the table that the arm stands in."
    )
    return "\n".join([*lines, "", legend])


def tasks(asked: str) -> str:
    """The same arms on several tasks."""
    experiment, together, *names = asked.split()
    several = together.split(",")
    heads = [f"{metric}, {task.replace('_', ' ')}" for task in several for metric in CUT[:2]]
    lines = [f"| run | arm | {' | '.join(heads)} |", "| :-- | :-- |" + " --: |" * len(heads)]
    for name in names:
        case, arm = name.split(":")
        cells = [
            f"{arm_rows(f'{experiment}/{case}', task, arm)[metric]['value']:.3f}"
            for task in several
            for metric in CUT[:2]
        ]
        lines.append(f"| {case} | `{arm}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def categories(asked: str) -> str:
    """Arms by the kind of question."""
    experiment, task, metric, *names = asked.split()
    kinds: dict[str, int] = {}
    lines = []
    for name in names:
        case, arm = name.split(":")
        cells = {
            cell["category"]: cell
            for cell in kept(f"{experiment}/{case}", "layers")["categories"]
            if (cell["task"], cell["arm"], cell["metric"]) == (task, arm, metric)
        }
        kinds = kinds or {kind: cell["n"] for kind, cell in cells.items()}
        told = " | ".join(f"{cells[kind]['value']:.3f}" for kind in kinds)
        lines.append(f"| {case} | `{arm}` | {told} |")
    heads = " | ".join(f"{kind} (n = {n})" for kind, n in kinds.items())
    rule = "| :-- | :-- |" + " --: |" * len(kinds)
    return "\n".join([f"| run | arm, {metric} | {heads} |", rule, *lines])


def changes(asked: str) -> str:
    """Arms of one table that change a score; the others are counted."""
    place, task, title = asked.split(maxsplit=2)
    found = [
        row
        for row in kept(place, "layers")["arms"]
        if row["task"] == task and row["table"].startswith(title)
    ]
    told = [row for row in found if row["verdict"] not in ("no change", "no base")]
    told.sort(key=lambda row: -(row["value"] or 0.0))
    lines = ["| arm | Δ nDCG@10 | p |", "| :-- | --: | --: |"]
    for row in told:
        p = "–" if row["p"] is None else "<0.001" if row["p"] < 0.001 else f"{row['p']:.3f}"
        lines.append(f"| `{row['arm']}` | {effect(row)} | {p} |")
    same = [row["arm"].removeprefix("switch_") for row in found if row["verdict"] == "no change"]
    legend = f"No score changes by: {', '.join(same)}." if same else "Each changes a score."
    return "\n".join([*lines, "", legend])


def silence(asked: str) -> str:
    """Arms of cases after days of silence, each against its base on the first and the last."""
    experiment, task, metric, *names = asked.split()
    lines, days = [], dict[float, str]()
    for name in names:
        case, arm = name.split(":")
        place = f"{experiment}/{case}"
        told = [row for row in kept(place, "memory")["arms"] if row["task"] == task]
        days = {row["days"]: row["sitting"] for row in told}
        own = {row["days"]: row for row in told if row["arm"] == arm}
        rows = [arm_rows(place, sitting, arm)[metric] for sitting in days.values()]
        cells = [f"{row['value']:.3f}" for row in rows]
        ends = [effect(own[day]) if own else "" for day in (min(days), max(days))]
        lines.append(
            f"| {case} | `{arm}` | {' | '.join([*cells, *ends])} | {rows[0]['base'] or ''} |"
        )
    heads = [f"{metric}, {day:g} d" for day in days]
    heads += [f"Δ {day:g} d" for day in (min(days), max(days))]
    rule = "| :-- | :-- |" + " --: |" * len(heads) + " :-- |"
    legend = (
        "Brackets: 95 % interval of the difference to the base, whole clusters resampled; **bold**:"
        " told from chance, by sign flips of whole clusters, Holm over its table in memory.md."
    )
    return "\n".join([f"| run | arm | {' | '.join(heads)} | base |", rule, *lines, "", legend])


def kept(place: str, stem: str) -> dict[str, Any]:
    """A table that is kept of one run."""
    found: dict[str, Any] = json.loads((HERE / place / f"{stem}.json").read_text())
    return found


def arm_rows(place: str, task: str, arm: str) -> dict[str, dict[str, Any]]:
    """Metric → row of one arm."""
    rows = kept(place, "leaderboard")["rows"]
    return {row["metric"]: row for row in rows if (row["task"], row["arm"]) == (task, arm)}


def standing(place: str, task: str, arm: str) -> dict[str, Any]:
    """An arm against its base, in whichever table of layers.md it stands."""
    found = kept(place, "layers")
    for row in found["arms"]:
        if (row["task"], row["arm"]) == (task, arm):
            return dict(row)
    for row in found["layers"]:
        if row["task"] == task and arm == f"add_{row['layer']}":
            return dict(row["effects"][CUT[0]]["added"])
        if row["task"] == task and arm == f"without_{row['layer']}":
            return lost(row["effects"][CUT[0]]["kept"])
    return {"value": None, "interval": None, "verdict": "not measured"}


def lost(found: dict[str, Any]) -> dict[str, Any]:
    """What the stack loses without a layer, from what it gains by keeping it."""
    ends = found["interval"]
    return {
        "value": None if found["value"] is None else 0.0 - found["value"],
        "interval": ends and [0.0 - ends[1], 0.0 - ends[0]],
        "verdict": found["verdict"],
    }


def effect(found: dict[str, Any]) -> str:
    """A difference with its interval, bold where it is told from chance."""
    if found["value"] is None:
        return "–"
    if found["verdict"] == "no change":
        return "0"
    told = f"{found['value']:+.3f}"
    if found["interval"]:
        told += " [{:+.3f}, {:+.3f}]".format(*found["interval"])
    told = told.replace("-", "−")
    return f"**{told}**" if found["verdict"] in ("better", "worse") else told


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
