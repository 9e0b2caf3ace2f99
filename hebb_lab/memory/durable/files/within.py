"""A store that is made in many commits: whole in its folder, or not there at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hebb_lab.memory.durable import schema
from hebb_lab.memory.durable.files.faults import named
from hebb_lab.memory.durable.files.mark import sync_folder
from hebb_lab.memory.errors import StoreError

NAME = "unfinished"


@contextmanager
def made_within(folder: Path) -> Iterator[Path]:
    """A place inside a folder where a store is made, and moved out of when it is whole.

    The database comes last: until then no store is in the folder, however the process ends.
    Inside the folder, so that it is of the same disk and nothing beside it need be writable.

    Args:
        folder: of the new store; it must be empty or missing.

    Raises:
        StoreError: the folder is not empty.
    """
    check_empty(folder)
    place, moved = folder / NAME, list[Path]()
    try:
        yield place
        with named(folder):
            files = sorted(place.iterdir(), key=lambda file: file.name == schema.DATABASE)
            for file in files:
                sync_folder(folder)
                moved.append(folder / file.name)
                file.replace(moved[-1])
            sync_folder(folder)
    except BaseException:
        for file in reversed(moved):
            file.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(place, ignore_errors=True)


def check_empty(folder: Path) -> None:
    """Refuse a folder that is not empty.

    Raises:
        StoreError: it is not.
    """
    if not folder.exists():
        return
    if (folder / NAME).is_dir() and len(list(folder.iterdir())) == 1:
        raise StoreError(
            f"the folder has a store whose making was stopped in {NAME}", "Delete the folder",
            folder,
        )  # fmt: skip
    if not folder.is_dir() or any(folder.iterdir()):
        raise StoreError("the folder is not empty", "Give a new one", folder)
