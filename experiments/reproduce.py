"""Run the published experiments again and hold them to their expected numbers.

    .venv/bin/python experiments/reproduce.py                      # all, data in ../shared/data
    .venv/bin/python experiments/reproduce.py entire_cli --data DIR
    .venv/bin/python experiments/reproduce.py cochange --write     # also renew tables and figures

What an experiment runs stands in its expected.yaml. ``runs``: a list, reported as one, its
leaderboard kept beside the README. ``cases``: name → run, each reported by itself and kept in a
folder of that name; ``case`` says in which of them an expected number stands.

Exit code: 0 every number is within its tolerance; 1 one is not; 2 the data, or an extra that an
experiment needs, is not there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from omegaconf import OmegaConf

from hebb_lab.evaluation.leaderboard.board import UNLISTED

HERE = Path(__file__).resolve().parent
ENDINGS = ("md", "json")
STEMS = ("leaderboard", "layers", "memory")


def main() -> int:
    """The command line."""
    known = sorted(path.parent.name for path in HERE.glob("*/expected.yaml"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--runs", type=Path, default=HERE.parent / "build" / "reproduce")
    parser.add_argument("--cache", type=Path, help="kept vectors (default: .cache among the runs)")
    parser.add_argument("--write", action="store_true", help="renew leaderboards and figures")
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(known))
    names = chosen.names or known
    if unknown or not (chosen.data.is_dir() or not any(map(needs_data, names))):
        what = f"no experiment {', '.join(unknown)}" if unknown else f"no folder {chosen.data}"
        sys.stderr.write(f"{what}. Known: {', '.join(known)}; name the data with --data DIR.\n")
        return 2
    lacking = [name for name in names if lacks_extra(name)]
    if lacking:
        sys.stderr.write(f"{', '.join(lacking)} compares with embeddings: install the extra embed"
                         " (pip install -c constraints.txt -e '.[embed]').\n")  # fmt: skip
        return 2
    wrong = 0
    for name in names:
        again = Again(name, chosen.data, chosen.runs / name, chosen.cache or chosen.runs / ".cache")
        wrong += again.run(write=chosen.write)
    return 1 if wrong else 0


class Again(NamedTuple):
    """One experiment that is run anew in ``runs``."""

    name: str
    data: Path
    runs: Path
    cache: Path

    def run(self, *, write: bool) -> int:
        """The number of its figures that are off."""
        plan, place = plan_of(self.name), HERE / self.name
        shutil.rmtree(self.runs, ignore_errors=True)
        if "cases" in plan:
            folders = {case: self._case(case, plan["cases"][case]) for case in plan["cases"]}
        else:
            for arguments in plan["runs"]:
                self._call(arguments, self.runs)
            _call("hebb_lab.report", str(self.runs))
            folders = {None: self.runs if len(plan["runs"]) > 1 else only_run(self.runs)}
        if write:
            for case, folder in folders.items():
                keep(folder, place / case if case else place, [] if case else plan["figures"])
            keep_of_runs(self.runs, place, plan.get("figures_of_runs") or {})
            keep_of_cases(folders, place, plan.get("figures_of_cases") or {})
        return sum(not within(self.name, folders[e.get("case")], e) for e in plan["expect"])

    def _case(self, case: str, arguments: list[str]) -> Path:
        """Run one case; its folder."""
        self._call(arguments, self.runs / case)
        return only_run(self.runs / case)

    def _call(self, arguments: list[str], runs: Path) -> None:
        command = [a.replace("{data}", str(self.data.resolve())) for a in arguments]
        _call("hebb_lab.run", *command, f"paths.runs={runs}", f"paths.cache={self.cache}")


def only_run(runs: Path) -> Path:
    """The folder of the one run there."""
    return next(runs.glob("*/*/result.json")).parent


def plan_of(name: str) -> dict[str, Any]:
    """What an experiment runs, shows and expects."""
    plan: Any = OmegaConf.to_container(OmegaConf.load(HERE / name / "expected.yaml"))
    return dict(plan)


def needs_data(name: str) -> bool:
    """Whether an experiment reads a log; the built-in agent needs none."""
    plan = plan_of(name)
    runs = plan["cases"].values() if "cases" in plan else plan["runs"]
    return any("{data}" in argument for run in runs for argument in run)


def lacks_extra(name: str) -> bool:
    """Whether an experiment needs embeddings and none are here."""
    from hebb_lab.recall.embedders import chosen_embedder

    return bool(plan_of(name).get("needs_embed")) and chosen_embedder("auto") is None


def value_of(folder: Path, entry: dict[str, Any]) -> float | None:
    """The number that an entry names, from a run's folder or a kept one; None: it is not there.

    With ``layer`` and ``effect`` it is a layer's worth, with ``category`` a mean over the questions
    of one kind, else a row of the leaderboard.
    """
    if "layer" in entry or "category" in entry:
        found = json.loads((folder / "layers.json").read_text())
        keys = ("task", "layer") if "layer" in entry else ("task", "category", "arm", "metric")
        rows = found["layers" if "layer" in entry else "categories"]
    else:
        keys = ("dataset", "task", "arm", "metric")
        rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    asked = {key: entry[key] for key in keys if key in entry}
    named = [row for row in rows if all(row[k] == v for k, v in asked.items())]
    if len(named) != 1:
        return None
    row = named[0]["effects"][entry["metric"]][entry["effect"]] if "layer" in entry else named[0]
    value: float | None = row["value"]
    return value


def within(name: str, folder: Path, entry: dict[str, Any]) -> bool:
    """Print one expected number beside the one found; whether it is within its tolerance."""
    value = value_of(folder, entry)
    good = value is not None and abs(value - entry["value"]) <= entry["tolerance"]
    where = " ".join(str(v) for k, v in entry.items() if k not in ("value", "tolerance"))
    shown = "none" if value is None else f"{value:.4f}"
    mark = "ok " if good else "OFF"
    sys.stdout.write(f"{mark} {name}: {where}: {shown}, expected {entry['value']:.4f}"
                     f" ± {entry['tolerance']:g}\n")  # fmt: skip
    return good


def keep(run: Path, place: Path, figures: list[str]) -> None:
    """Copy tables and the named figures of a run or report into a folder of the experiment."""
    place.mkdir(exist_ok=True)
    for table in (run / f"{stem}.{end}" for stem in STEMS for end in ENDINGS):
        if table.is_file():
            text = table.read_text()
            if table.suffix == ".md":  # without its pictures
                kept = [line for line in text.split("\n") if not line.startswith("![")]
                text = "\n".join(kept).rstrip() + "\n"
            elif table.stem == "leaderboard":  # without the arms that no table lists
                rows = [line for line in text.split("\n") if f'"group": "{UNLISTED}"' not in line]
                text = "\n".join(rows).replace(",\n]", "\n]")
            (place / table.name).write_text(text)
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


def keep_of_cases(
    folders: dict[Any, Path], place: Path, figures: dict[str, dict[str, str]]
) -> None:
    """Copy figures of cases: name here → the case and the figure's name there."""
    for name, asked in figures.items():
        there = folders[asked["case"]] / "figures" / f"{asked['figure']}.png"
        shutil.copy2(there, place / f"{name}.png")


def _call(module: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
