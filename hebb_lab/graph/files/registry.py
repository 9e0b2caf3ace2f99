"""Names of types and their ids: REG, and TREG before it."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.graph.files.encoding.header import (
    PERSISTENT,
    REG,
    SIZE,
    TREG,
    Header,
    any_header,
    is_container,
    read_magic,
    refuse_magic,
)
from hebb_lab.graph.files.encoding.source import Fault, Source, refuse_to_write, save
from hebb_lab.graph.files.encoding.text import Texts, framed

if TYPE_CHECKING:
    from numpy.typing import NDArray

TREG_VERSION = 1


@dataclass(frozen=True)
class RegistryFile:
    """T types.

    Args:
        names: [T], upper case, distinct.
        ids: [T] int32, distinct, not negative.
    """

    names: tuple[str, ...]
    ids: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.names)

    def fault(self) -> Fault | None:
        """The first thing that is wrong with it."""
        if len(self.names) != len(self.ids):
            return Fault(f"{len(self.names)} names and {len(self.ids)} ids", "ids", 0)
        seen: set[str | int] = set()
        for i, (name, number) in enumerate(zip(self.names, self.ids.tolist(), strict=True)):
            problem = (
                "a type without a name" if not name.strip()
                else f"the type {name!r} is not in upper case" if name != name.upper()
                else f"the type {name!r} stands there twice" if name in seen
                else f"the id {number} is negative" if number < 0
                else f"the id {number} stands there twice" if number in seen
                else ""
            )  # fmt: skip
            if problem:
                return Fault(problem, "names", i)
            seen |= {name, number}
        return None


def read_registry(path: str | Path) -> RegistryFile:
    """Read a type registry: a container, or TREG.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    with Source(Path(path)) as source:
        magic = read_magic(source)
        if magic == TREG:
            _, _, count = source.numbers(0, ">3i", "the header")
            return _read_names(source, 12, (count, 8), ">i", ">i")
        if not is_container(magic):
            refuse_magic(source, magic, TREG)
        header = any_header(source)
        if (header.layout, header.schema, header.shape) != (REG, 1, "REGISTRY"):
            source.refuse(
                "it holds no type registry of schema 1", 36, "Read it with read_graph_file"
            )
        return _read_names(source, SIZE, (header.used, 24), "<H", "<i")


def _read_names(
    source: Source, at: int, counted: tuple[int, int], length: str, number: str
) -> RegistryFile:
    texts = Texts(source, at)
    least = struct.calcsize(length) + 1 + struct.calcsize(number)
    source.count(*counted, "types", (source.size - at) // least if source.size > at else 0)
    names, ids, places = [], [], []
    for _ in range(counted[0]):
        places.append(texts.at)
        names.append(texts.text(length, "the name of a type"))
        ids.append(texts.numbers(number, "the id of a type")[0])
    value = RegistryFile(tuple(names), np.array(ids, np.int32))
    fault = value.fault()
    if fault is not None:
        source.refuse(fault.problem, places[fault.row])
    source.only_padding_from(texts.at)
    return value


def write_registry(
    path: str | Path, value: RegistryFile, format: Literal["container", "legacy"] = "container",
    created_ms: int = 0,
) -> None:  # fmt: skip
    """Write a type registry as a container, or as TREG.

    Raises:
        ValueError: a value that could not be read again, or an unknown format.
        InputError: the disk refuses.
    """
    path = Path(path)
    refuse_to_write(path, value.fault())
    if format == "container":
        head = Header(
            1, "REGISTRY", PERSISTENT, len(value), len(value), 0, REG, created_ms, created_ms
        ).pack()
        forms = "<H", "<i"
    elif format == "legacy":
        head, forms = struct.pack(">I2i", TREG, TREG_VERSION, len(value)), (">i", ">i")
    else:
        raise ValueError(f"format {format!r} is neither 'container' nor 'legacy'")
    entries = zip(value.names, value.ids.tolist(), strict=True)
    save(
        path,
        [head, *(framed(forms[0], name) + struct.pack(forms[1], i) for name, i in entries)],
    )
