"""Names of entities beside their directory: entity-directory-names.idx."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.graph.files.encoding.source import Fault, Source, first_fault, refuse_to_write, save
from hebb_lab.graph.files.encoding.text import Texts, framed

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAIN, ENCRYPTED = 0, 1
_LARGEST = (1 << 31) - 1
FILE_NAME = "entity-directory-names.idx"


@dataclass(frozen=True)
class NamesFile:
    """Names and the entities that they mean; several names may mean one.

    Args:
        names: [n].
        ids: [n] int32, not negative.
    """

    names: tuple[str, ...]
    ids: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.names)

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        if len(self.names) != len(self.ids):
            return Fault(f"{len(self.names)} names and {len(self.ids)} ids", "ids", 0)
        return first_fault([("ids", self.ids < 0, "a negative entity")])


def read_names(path: str | Path) -> NamesFile:
    """Read the names of an entity directory.

    Raises:
        InputError: names that are encrypted, or a broken file; with the byte.
    """
    with Source(Path(path)) as source:
        (kind,) = source.numbers(0, "B", "the kind of file")
        if kind == ENCRYPTED:
            source.refuse("the names are encrypted", 0, "Store them without encryption")
        if kind != PLAIN:
            source.refuse(f"there is no kind {kind} of this file", 0, f"Name a {FILE_NAME}")
        texts = Texts(source, 1)
        names, ids = [], []
        for _ in range(texts.count(">i", "names", 8)):
            names.append(texts.text(">i", "the name of an entity"))
            at = texts.at
            (number,) = texts.numbers(">i", "the id of an entity")
            ids.append(source.count(number, at, "as the id of an entity", _LARGEST))
        source.only_padding_from(texts.at)
        return NamesFile(tuple(names), np.array(ids, np.int32))


def write_names(path: str | Path, value: NamesFile) -> None:
    """Write the names of an entity directory, in plain.

    Raises:
        ValueError: a value that could not be read again.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    entries = zip(value.names, value.ids.tolist(), strict=True)
    save(
        path,
        [
            struct.pack(">Bi", PLAIN, len(value)),
            *(framed(">i", name) + struct.pack(">i", i) for name, i in entries),
        ],
    )
