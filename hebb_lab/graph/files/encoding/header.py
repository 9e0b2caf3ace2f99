"""The 64 bytes that every container begins with: SMKM."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.graph.files.encoding.hashes import crc32c

if TYPE_CHECKING:
    from hebb_lab.graph.files.encoding.source import Source

SIZE, CHECKED = 64, 56
SMKM = 0x534D4B4D
SHAPES = (
    "RECORD", "PARTITIONED", "GRAPH", "CHAIN", "APPEND", "REGISTRY", "BUNDLE", "INSULAR",
    "HASHTABLE",
)  # fmt: skip
HCSR, HGPH, TPCH, COAX = 0x48435352, 0x48475048, 0x54504348, 0x434F4158
EDIR, HYEG, REG, TREG = 0x45444952, 0x48594547, 0x52454700, 0x54524547
BUNDLE = 0x42554E44
PERSISTENT = 1
_FORM = struct.Struct("<IiiiqqiIqq")


class Header(NamedTuple):
    """What a container says of itself; numbers as stored.

    Bytes: 0 magic u32, 4 schema, 8 shape, 12 flags i32, 16 capacity, 24 count i64, 32 stride i32,
    36 layout u32, 40 created ms, 48 flushed ms i64, 56 CRC-32C of bytes 0 to 55, 60 zeros.
    """

    schema: int
    shape: str
    flags: int
    capacity: int
    used: int
    stride: int
    layout: int  # what the file holds, one of the numbers above
    created_ms: int
    flushed_ms: int

    def pack(self) -> bytes:
        """The 64 bytes, with their checksum."""
        fields = _FORM.pack(
            SMKM, self.schema, SHAPES.index(self.shape), self.flags, self.capacity, self.used,
            self.stride, self.layout, self.created_ms, self.flushed_ms,
        )  # fmt: skip
        return fields + struct.pack("<II", crc32c(fields), 0)


def name_of(layout: int) -> str:
    """The four letters of a layout or of a magic number, as a word.

    >>> name_of(HCSR), name_of(REG), name_of(7)
    ('HCSR', 'REG', '0x00000007')
    """
    letters = layout.to_bytes(4, "big").rstrip(b"\0")
    plain = letters.isalnum() and letters.isascii()
    return letters.decode() if plain else f"0x{layout:08x}"


def read_header(source: Source, layout: int, schema: int, shape: str, stride: int) -> Header:
    """The header of a container that is expected to hold one kind of thing.

    Raises:
        InputError: another magic, byte order, checksum, layout, schema, shape or stride.
    """
    header = any_header(source)
    if header.layout != layout:
        source.refuse(
            f"it holds {name_of(header.layout)} and not {name_of(layout)}", 36,
            "Name the file of the other kind, or read it with read_graph_file",
        )  # fmt: skip
    for what, at, found, wanted in (
        ("schema", 4, header.schema, schema), ("shape", 8, header.shape, shape),
        ("stride", 32, header.stride, stride),
    ):  # fmt: skip
        if found != wanted:
            source.refuse(
                f"{name_of(layout)} with {what} {found}; {wanted} is known", at,
                "Write it anew with the release of Spector Memory that the page describes",
            )  # fmt: skip
    return header


def any_header(source: Source) -> Header:
    """The header of a container of any kind.

    Raises:
        InputError: another magic, byte order or checksum, or a shape that does not exist.
    """
    raw = source.take(0, SIZE, "the header")
    if raw[:4] == SMKM.to_bytes(4, "big"):
        source.refuse(
            "SMKM with its bytes swapped: a big-endian machine wrote it", 0,
            "Write it anew on a little-endian machine (x86 or ARM)",
        )  # fmt: skip
    magic, schema, shape, flags, capacity, count, stride, layout, created, flushed = _FORM.unpack(
        raw[:CHECKED]
    )
    if magic != SMKM:
        source.refuse(
            f"the magic number is 0x{magic:08x} and not SMKM", 0, "Name a file of a stored graph"
        )
    stored = int.from_bytes(raw[CHECKED : CHECKED + 4], "little")
    if stored != crc32c(raw[:CHECKED]):
        source.refuse("the checksum of the header does not fit its bytes", CHECKED)
    if not 0 <= shape < len(SHAPES):
        source.refuse(f"there is no shape {shape}", 8)
    return Header(
        schema, SHAPES[shape], flags, capacity, count, stride, layout, created, flushed
    )  # fmt: skip


def is_container(magic: int) -> bool:
    """Whether the first four bytes, as ``read_magic`` gives them, are SMKM in either byte order."""
    return magic in (SMKM, int.from_bytes(SMKM.to_bytes(4, "little"), "big"))


def read_magic(source: Source) -> int:
    """The first four bytes as a big-endian number: the older headers, and SMKM swapped."""
    return int.from_bytes(source.take(0, 4, "the magic number"), "big")


def refuse_magic(source: Source, magic: int, *known: int) -> None:
    """Refuse a file that begins with none of some magic numbers, and say so if it is swapped."""
    swapped = int.from_bytes(magic.to_bytes(4, "little"), "big")
    if swapped in known:
        source.refuse(
            f"{name_of(swapped)} with its bytes swapped: the byte order is the other one", 0,
            "Write it anew: this header is big-endian in every release",
        )  # fmt: skip
    source.refuse(
        f"the magic number is {name_of(magic)}; known here: {', '.join(map(name_of, known))}", 0,
        "Name a file of that kind, or read it with read_graph_file",
    )  # fmt: skip
