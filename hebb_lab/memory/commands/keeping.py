"""Commands that write to a store: forget, compact."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing

from hebb_lab.memory.durable import DurableJournal


def forget(options: Namespace) -> int:
    """Forget memories; 1 where something of them is still in a file."""
    from hebb_lab.memory.store import MemoryStore

    with MemoryStore.open(options.path) as store:
        gone = store.forget(options.ids, options.at)
        sys.stdout.write(
            f"{gone.count} forgotten, {gone.cascaded} with them, {gone.missing} not there\n"
        )
        return _left(store.journal)


def compact(options: Namespace) -> int:
    """Rewrite a store without free room; 1 where it could not be done now."""
    with closing(DurableJournal.open(options.path)) as journal:
        before = journal.byte_count()
        journal.compact()
        sys.stdout.write(f"{before} bytes before, {journal.byte_count()} after\n")
        return _left(journal)


def _left(journal: object) -> int:
    """Say what is left to do; 1 where there is something."""
    unfinished: tuple[str, ...] = getattr(journal, "unfinished", ())
    sys.stdout.writelines(f"{one}\n" for one in unfinished)
    return 1 if unfinished else 0


COMMANDS: dict[str, Callable[[Namespace], int]] = {"forget": forget, "compact": compact}
