"""Vectors in blocks, so that a million of them are never copied to make room for one more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hebb_lab.memory.state.columns import with_room

BLOCK = 65_536  # rows of a block

Floats = NDArray[np.float32]


class Vectors:
    """Float32 vectors [count, d] in blocks of 65,536 rows; only the first block grows by copying.

    Args:
        dimensions: d.
    """

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.count = 0
        self.longest = 0.0
        """The greatest length that any of them has had: what rounding is bounded by."""
        self.versions: list[int] = []
        """[blocks] how often each was written to."""
        self._blocks: list[Floats] = []
        self._lost = 0.0
        self._measured = 0  # rows that are in it

    def extend(self, vectors: Floats) -> None:
        """Append vectors [n, d]."""
        self._measure(vectors)
        done = 0
        while done < len(vectors):
            block, at = divmod(self.count, BLOCK)
            part = vectors[done : done + BLOCK - at]
            self._make_room(block, at, at + len(part))
            self._blocks[block][at : at + len(part)] = part
            self.versions[block] += 1
            self.count += len(part)
            done += len(part)

    def _make_room(self, block: int, held: int, needed: int) -> None:
        if block == len(self._blocks):
            self._blocks.append(np.empty((BLOCK if block else 0, self.dimensions), np.float32))
            self.versions.append(0)
        if needed > len(self._blocks[block]):
            self._blocks[block] = with_room(self._blocks[block], held, needed)[:BLOCK]

    def _measure(self, vectors: Floats) -> None:
        if vectors.size:
            squared = np.einsum("nd,nd->n", vectors, vectors)
            # Both the squares' sum and its root are rounded: a little to spare.
            self.longest = max(self.longest, float(np.sqrt(squared.max())) * (1 + 2.0**-12))

    def write(self, rows: NDArray[np.int64], vectors: Floats) -> None:
        """Put vectors [n, d] in the place of those of some rows."""
        self._measure(vectors)
        self._measured = min(self._measured, int(rows.min(initial=self.count)))
        for block, places in self._by_block(rows):
            self._blocks[block][rows[places] % BLOCK] = vectors[places]
            self.versions[block] += 1

    def clear(self, rows: NDArray[np.int64]) -> None:
        """Overwrite the vectors of some rows with 0."""
        for block, places in self._by_block(rows):
            self._blocks[block][rows[places] % BLOCK] = 0
            self.versions[block] += 1

    def take(self, rows: NDArray[np.int64]) -> Floats:
        """A copy of the vectors of some rows, [n, d]."""
        rows = np.asarray(rows, np.int64)
        if len(self._blocks) == 1:
            return self._blocks[0][rows]
        out = np.empty((len(rows), self.dimensions), np.float32)
        for block, places in self._by_block(rows):
            out[places] = self._blocks[block][rows[places] % BLOCK]
        return out

    def products(
        self, rows: NDArray[np.int64], queries: Floats, asked: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Inner products [n] of some rows [n] with queries [Q, d], each with the one it names.

        They are summed in float64.

        Args:
            rows: [n].
            queries: [Q, d].
            asked: [n] places of queries.
        """
        from hebb_lab.kernels.cpu.compile import in_threads, pieces_of
        from hebb_lab.kernels.cpu.lookup.products import inner_products

        out = np.empty(len(rows))
        for block, places in self._by_block(rows):
            part = self._blocks[block], rows[places] % BLOCK, queries, asked[places], places, out
            in_threads(
                lambda begin, stop, part=part: inner_products(*part, begin, stop),  # type: ignore[misc]
                pieces_of(len(places), 2048),
            )
        return out

    def _by_block(self, rows: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Block → the places in ``rows`` that lie in it, ascending."""
        block = rows // BLOCK
        order = np.argsort(block, kind="stable")
        numbers, starts = np.unique(block[order], return_index=True)
        yield from zip(numbers.tolist(), np.split(order, starts)[1:], strict=True)

    def blocks(self) -> Iterator[tuple[int, Floats]]:
        """(first row, view [m, d] of m ≤ 65,536 rows), in the order of rows."""
        for block, array in enumerate(self._blocks):
            first = block * BLOCK
            yield first, array[: self.count - first]

    def lost_in_bfloat16(self) -> float:
        """The greatest |v − ṽ| of any vector, ṽ rounded to bfloat16; measured once for each."""
        for first, block in self.blocks():
            for start in range(max(self._measured - first, 0), len(block), 4096):
                part = block[start : start + 4096]
                lost = part - _as_bfloat16(part)
                squared = np.einsum("nd,nd->n", lost, lost)
                self._lost = max(self._lost, float(np.sqrt(squared.max())) * (1 + 2.0**-12))
        self._measured = self.count
        return self._lost

    def byte_count(self) -> int:
        """Bytes of all blocks, room included."""
        return sum(block.nbytes for block in self._blocks)


def _as_bfloat16(vectors: Floats) -> Floats:
    """The nearest numbers of eight significant bits, ties to even; none overflows."""
    bits = vectors.view(np.uint32)
    rounded = bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32)
