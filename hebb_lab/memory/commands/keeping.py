"""Commands that write to a store: forget, compact."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing

from hebb_lab.memory.durable import DurableJournal


def compact(options: Namespace) -> int:
    """Rewrite a store without free room; 1 where it could not be done now."""
    with closing(DurableJournal.open(options.path)) as journal:
        before = journal.byte_count()
        journal.compact()
        sys.stdout.write(f"{before} bytes before, {journal.byte_count()} after\n")
        sys.stdout.writelines(f"{one}\n" for one in journal.unfinished)
        return 1 if journal.unfinished else 0


COMMANDS: dict[str, Callable[[Namespace], int]] = {"compact": compact}
