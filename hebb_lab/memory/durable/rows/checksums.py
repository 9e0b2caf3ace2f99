"""The canonical form of each row, of which its column ``crc`` is the CRC-32.

- memories: id (16 bytes), place (int64, little-endian), numbers as they stand there.
- texts: id of the memory; lengths of content, context and entity in bytes (int32, −1 for NULL);
  the three as UTF-8; the vector.
- edges: source, target, kind (int8), confidence (float32), time_us (int64).
- tombstones: id, time_us (int64), salt, digest, reason as UTF-8.
- facts: name, a zero byte, value as UTF-8.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_EDGE = np.dtype(
    [("source", "V16"), ("target", "V16"), ("kind", "i1"), ("confidence", "<f4"),
     ("time_us", "<i8")]
)  # fmt: skip
_LENGTHS = struct.Struct("<3i")
_WHOLE = struct.Struct("<q")


def of_memory(memory: bytes, place: int, numbers: bytes) -> int:
    """The checksum of one row of memories.

    Args:
        memory: id.
        place: of its text.
        numbers: as `packing` has them.
    """
    return crc32(b"".join((memory, _WHOLE.pack(place), numbers)))


def of_text(
    memory: bytes, content: bytes, context: bytes, entity: bytes | None, vector: bytes | None
) -> int:
    """The checksum of one row of texts, all as they stand in the file."""
    lengths = _LENGTHS.pack(len(content), len(context), -1 if entity is None else len(entity))
    said = crc32(b"".join((memory, lengths, content, context, entity or b"")))
    return said if vector is None else crc32(vector, said)


def of_edges(
    source: Sequence[bytes], target: Sequence[bytes], kind: NDArray[np.int8],
    confidence: NDArray[np.float32], time_us: NDArray[np.int64],
) -> list[int]:  # fmt: skip
    """Checksums of m rows of edges."""
    rows = np.zeros(len(source), _EDGE)
    rows["source"] = np.frombuffer(b"".join(source), "V16")
    rows["target"] = np.frombuffer(b"".join(target), "V16")
    rows["kind"], rows["confidence"], rows["time_us"] = kind, confidence, time_us
    flat, size = rows.tobytes(), rows.dtype.itemsize
    return [crc32(flat[first : first + size]) for first in range(0, len(flat), size)]


def of_tombstone(memory: bytes, time_us: int, salt: bytes, digest: bytes, reason: str) -> int:
    """The checksum of one tombstone."""
    return crc32(b"".join((memory, _WHOLE.pack(time_us), salt, digest, reason.encode())))


def of_fact(name: str, value: str) -> int:
    """The checksum of one fact; value is JSON."""
    return crc32(f"{name}\0{value}".encode())
