"""Run the published experiments again and hold them to their expected numbers.

    .venv/bin/python experiments/reproduce.py                      # all, data in ../shared/data
    .venv/bin/python experiments/reproduce.py entire_cli --data DIR
    .venv/bin/python experiments/reproduce.py cochange --write     # also renew tables and figures

Exit code: 0 every number is within its tolerance; 1 one is not; 2 the data is not there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

HERE = Path(__file__).resolve().parent


def main() -> int:
    """The command line."""
    known = sorted(path.parent.name for path in HERE.glob("*/expected.yaml"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--runs", type=Path, default=HERE.parent / "build" / "reproduce")
    parser.add_argument("--write", action="store_true", help="renew leaderboards and figures")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(known))
    names = chosen.names or known
    if unknown or not (chosen.data.is_dir() or not any(map(needs_data, names))):
        what = f"no experiment {', '.join(unknown)}" if unknown else f"no folder {chosen.data}"
        sys.stderr.write(f"{what}. Known: {', '.join(known)}; name the data with --data DIR.\n")
        return 2
    wrong = 0
    for name in names:
        wrong += reproduce(name, chosen.data, chosen.runs / name, write=chosen.write)
    return 1 if wrong else 0


def reproduce(name: str, data: Path, runs: Path, *, write: bool) -> int:
    """Run one experiment anew; the number of its figures that are off."""
    plan = plan_of(name)
    shutil.rmtree(runs, ignore_errors=True)
    for arguments in plan["runs"]:
        command = [a.format(data=data.resolve()) for a in arguments]
        _call("hebb_lab.run", *command, f"paths.runs={runs}")
    _call("hebb_lab.report", str(runs))
    folder = runs if len(plan["runs"]) > 1 else next(runs.glob("*/*/result.json")).parent
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    if write:
        keep(folder, HERE / name, plan["figures"])
        keep_of_runs(runs, HERE / name, plan.get("figures_of_runs") or {})
    return sum(not within(name, rows, entry) for entry in plan["expect"])


def plan_of(name: str) -> dict[str, Any]:
    """What an experiment runs, shows and expects."""
    plan: Any = OmegaConf.to_container(OmegaConf.load(HERE / name / "expected.yaml"))
    return dict(plan)


def needs_data(name: str) -> bool:
    """Whether an experiment reads a log; the built-in agent needs none."""
    return any("{data}" in argument for run in plan_of(name)["runs"] for argument in run)


def within(name: str, rows: list[dict[str, Any]], entry: dict[str, Any]) -> bool:
    """Print one expected number beside the one found; whether it is within its tolerance."""
    keys = ("dataset", "task", "arm", "metric")
    asked = {key: entry[key] for key in keys if key in entry}
    found = [row["value"] for row in rows if all(row[k] == v for k, v in asked.items())]
    value = found[0] if len(found) == 1 else None
    good = value is not None and abs(value - entry["value"]) <= entry["tolerance"]
    where = " ".join(str(part) for part in asked.values())
    shown = "none" if value is None else f"{value:.4f}"
    mark = "ok " if good else "OFF"
    sys.stdout.write(f"{mark} {name}: {where}: {shown}, expected {entry['value']:.4f}"
                     f" ± {entry['tolerance']:g}\n")  # fmt: skip
    return good


def keep(run: Path, place: Path, figures: list[str]) -> None:
    """Copy tables and the named figures of a run or report into the experiment's folder."""
    for ending in ("md", "json"):
        shutil.copy2(run / f"leaderboard.{ending}", place / f"leaderboard.{ending}")
    text = (place / "leaderboard.md").read_text()
    kept = [line for line in text.split("\n") if not line.startswith("![")]
    (place / "leaderboard.md").write_text("\n".join(kept).rstrip() + "\n")
    for figure in figures:
        shutil.copy2(run / "figures" / f"{figure}.png", place / f"{figure}.png")


def keep_of_runs(runs: Path, place: Path, figures: dict[str, dict[str, str]]) -> None:
    """Copy figures of single runs: name here → the run's dataset and the figure's name there."""
    named = {
        json.loads(path.read_text())["dataset"]["name"]: path.parent
        for path in runs.glob("*/*/result.json")
    }
    for name, asked in figures.items():
        there = named[asked["dataset"]] / "figures" / f"{asked['figure']}.png"
        shutil.copy2(there, place / f"{name}.png")


def _call(module: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
