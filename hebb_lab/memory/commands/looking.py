"""Commands that only look: info, check, tombstones."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.durable.auditing import problems
from hebb_lab.memory.durable.counting import counted
from hebb_lab.memory.durable.files.faults import check_folder
from hebb_lab.memory.durable.opening import is_store, nothing_there
from hebb_lab.memory.values import Kind


def info(options: Namespace) -> int:
    """Print what a store holds."""
    with closing(DurableJournal.open(options.path, mode="read", damaged="keep")) as journal:
        counts, facts = counted(options.path), journal.facts
        lines = [
            ("version", str(counts.version)), ("dimensions", str(journal.dimensions)),
            ("memories", str(facts["memories"])),
            *((f"  {_kind(kind)}", str(count)) for kind, count in counts.kinds.items()),
            ("entities", str(counts.entity_count)),
            *((f"  {'(none)' if name is None else name!r}", str(count))
              for name, count in counts.entities),
            ("edges", str(counts.edges)), ("tombstones", str(counts.tombstones)),
            ("commits", str(facts["sequence"])), ("clock", shown_time(facts["clock_us"])),
            ("bytes", str(journal.byte_count())), ("of them free", str(counts.free_bytes)),
            ("losses", "; ".join(journal.losses) or "none"),
        ]  # fmt: skip
    width = max(len(name) for name, _ in lines) + 2
    sys.stdout.writelines(f"{name:<{width}}{value}\n" for name, value in lines)
    return 0


def _kind(kind: int) -> str:
    return Kind(kind).name.lower() if kind in list(Kind) else str(kind)


def shown_time(time_us: int) -> str:
    """A time as a date and as µs since 1970."""
    if time_us < 0:
        return "never written"
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time_us)
    except OverflowError:
        return f"{time_us} µs"
    return f"{moment.isoformat()} ({time_us} µs)"


def check(options: Namespace) -> int:
    """Print what is wrong with a store; 1 where something is."""
    check_folder(options.path)
    if not is_store(options.path):
        raise nothing_there(options.path)
    found = problems(options.path)
    sys.stdout.writelines(f"{problem}\n" for problem in found or ["Nothing is wrong."])
    return 1 if found else 0


def tombstones(options: Namespace) -> int:
    """Print what was forgotten."""
    with closing(DurableJournal.open(options.path, mode="read")) as journal:
        stones = journal.tombstones()
    count = len(stones.ids)
    sys.stdout.write(f"{count} {'tombstone' if count == 1 else 'tombstones'}\n")
    for name, time_us, reason in zip(stones.ids, stones.time_us, stones.reason, strict=True):
        sys.stdout.write(f"{name}  {shown_time(int(time_us))}  {reason}\n")
    return 0


COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "info": info, "check": check, "tombstones": tombstones,
}  # fmt: skip
