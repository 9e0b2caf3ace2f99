"""Commands that bring memories from one place to another: salvage, export, import."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing

from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.durable.files.within import check_empty, made_within
from hebb_lab.memory.durable.salvage import salvage
from hebb_lab.memory.parquet import export, imported
from hebb_lab.memory.parquet.importing import dimensions_of


def salvage_store(options: Namespace) -> int:
    """Copy what is whole into a new store and print what is lost."""
    found = salvage(options.path, options.out)
    sys.stdout.write(f"{found.kept} memories are in {options.out}\n")
    sys.stdout.writelines(f"lost: {loss}\n" for loss in found.losses)
    return 0


def export_store(options: Namespace) -> int:
    """Write a store as Parquet files."""
    with closing(DurableJournal.open(options.path, mode="read")) as journal:
        export(journal, options.out)
        sys.stdout.write(f"{journal.facts['memories']} memories are in {options.out}\n")
    return 0


def import_store(options: Namespace) -> int:
    """Make a store of Parquet files, whole or not at all; they are looked at before it is begun."""
    check_empty(options.path)
    for _ in imported(options.source):
        pass
    dimensions = dimensions_of(options.source)
    with (
        made_within(options.path) as place,
        closing(DurableJournal.open(place, dimensions)) as journal,
    ):
        for change in imported(options.source):
            journal.commit(change)
        count = journal.facts["memories"]
    sys.stdout.write(f"{count} memories are in {options.path}\n")
    return 0


COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "salvage": salvage_store, "export": export_store, "import": import_store,
}  # fmt: skip
