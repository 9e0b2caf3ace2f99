"""``python -m tests.memory.crash``: kills and faults, counted, as JSON."""

import argparse
import json
import logging
import os
import platform
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.memory.crash import faults, killing


def main():
    """Kill, alter, and write what came of it."""
    asked = _arguments()
    logging.disable(logging.CRITICAL)  # each damaged store would say so
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=asked.scratch) as scratch:
        found = {"machine": _machine(scratch), "seed": asked.seed, "points": asked.points}
        if asked.faults:
            found["faults"] = _faults(Path(scratch), asked.points, asked.seed)
        else:
            found["kills"] = _kills(Path(scratch), asked.points, asked.seed)
            found["exact"] = _exact(Path(scratch), asked.seed)
    found["seconds"] = round(time.monotonic() - begun)
    text = json.dumps(found, indent=1)
    if asked.out is None:
        print(text)  # noqa: T201
    else:
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        asked.out.write_text(text + "\n")
    sys.exit(_is_bad(found))


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.memory.crash", description=__doc__)
    parser.add_argument(
        "--points", type=int, default=200, help="kills by chance, or alterations of each file"
    )
    parser.add_argument("--faults", action="store_true", help="faults instead of kills")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="where the JSON goes; else it is printed")
    parser.add_argument("--scratch", type=Path, help="a folder on the file system to test")
    return parser.parse_args()


def _kills(scratch, points, seed):
    """Scenario → counts; the points are shared out evenly."""
    names = killing.SCENARIOS
    shares = [points // len(names) + (place < points % len(names)) for place in range(len(names))]
    return {
        name: killing.killed(scratch, name, share, seed).as_row()
        for name, share in zip(names, shares, strict=True)
    }


def _exact(scratch, seed):
    return {
        f"{scenario}: {point}": killing.killed_at(scratch, scenario, point, times, seed).as_row()
        for scenario, point, times in killing.EXACT
    }


def _faults(scratch, points, seed):
    found = {
        name: tally.as_row() for name, tally in faults.altered_files(scratch, points, seed).items()
    }
    found["a file deleted"] = faults.missing_files(scratch, seed).as_row()
    place = scratch / "disk"
    place.mkdir()
    problems, reads, commits = faults.readers_beside_a_writer(scratch / "readers", 4, 5.0)
    whole = {
        "full disk (tmpfs of 3 MB)": faults.full_disk(place),
        "files that may not grow (RLIMIT_FSIZE)": faults.limited_files(scratch),
        "read-only disk, closed store": faults.read_only_disk(place, wal=False),
        "read-only disk, commits in the WAL": faults.read_only_disk(place, wal=True),
        "two writers in two processes": faults.two_writers(scratch / "writers"),
        f"four readers, {reads} reads, beside {commits} commits that forget": problems,
    }
    return found | {
        name: {"tried": int(wrong is not None), "wrong": wrong or []}
        for name, wrong in whole.items()
    }


def _is_bad(found):
    rows = [*found.get("kills", {}).values(), *found.get("exact", {}).values(),
            *found.get("faults", {}).values()]  # fmt: skip
    return any(row.get("lost") or row.get("wrong") for row in rows if "survived" in row) or any(
        row["wrong"] for row in rows if "wrong" in row
    )


def _machine(scratch):
    return {
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "cores": os.cpu_count(),
        "file_system": _file_system(scratch),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "numpy": np.__version__,
    }


def _file_system(folder):
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return "unknown"
    rows = [line.split()[1:3] for line in mounts.read_text().splitlines()]
    inside = [row for row in rows if Path(folder).is_relative_to(row[0])]
    return max(inside, key=lambda row: len(row[0]))[1]


if __name__ == "__main__":
    main()
