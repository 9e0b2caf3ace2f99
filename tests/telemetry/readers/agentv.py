"""The touches that were extracted from the agentv logs before, to hold the readers to."""

import gzip
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from hebb_lab.telemetry.reader import ReadOptions

Touch = tuple[str, str, str]  # time, tool, node


def options(shared_data: Path) -> ReadOptions:
    tracked = shared_data / "telemetry" / "tracked_paths" / "agentv.txt.gz"
    return ReadOptions(tracked_paths=tracked)


def reference(shared_data: Path, tools: set[str]) -> tuple[Counter[Touch], dict[Touch, str]]:
    """(touches, turn of each) of some tools; the mark of untracked paths is taken off."""
    touches: Counter[Touch] = Counter()
    turns: dict[Touch, str] = {}
    path = shared_data / "telemetry" / "events" / "agentv.tsv"
    for line in path.read_text().splitlines()[1:]:
        time, session, _, turn, _, _, tool, node, *_ = line.split("\t")
        if tool in tools:
            touch = time, tool, node.removeprefix("new:")
            touches[touch] += 1
            turns[touch] = f"{session}/{turn}"
    return touches, turns


def touches_of(events: pl.DataFrame) -> tuple[Counter[Touch], dict[Touch, str]]:
    """(touches, turn of each), written as the reference has them."""
    touches: Counter[Touch] = Counter()
    turns: dict[Touch, str] = {}
    for us, tool, node, session, turn in events.select(
        "time_us", "tool", "node", "session", "turn"
    ).iter_rows():
        time = datetime.fromtimestamp(us // 1000 / 1000, UTC).isoformat(timespec="milliseconds")
        touch = time.replace("+00:00", "Z"), tool, node
        touches[touch] += 1
        turns[touch] = f"{session}/{turn}"
    return touches, turns


def lines_at(folder: Path) -> dict[str, str]:
    """Time → the raw lines of that time."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.gz")):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                time = json.loads(line)["timestamp"]
                found[time] = found.get(time, "") + line
    return found
