"""An embedder of words and trigrams, hashed: needs no model."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.recall.embedders.embedder import EMBEDDERS
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@EMBEDDERS.register("hashing")
@dataclass(frozen=True)
class HashingEmbedder:
    """Words and their character trigrams, hashed: lexical, no meaning, no download.

    Each word and each trigram of ``<word>`` adds +1 or −1, by its CRC-32, to one of ``dimensions``
    places. Texts that share no word and no trigram score about 0, however near in meaning. It
    stands in for a model where none is installed.

    >>> HashingEmbedder().encode(["src/foo.py", ""]).shape
    (2, 256)
    """

    dimensions: int = 256

    @property
    def name(self) -> str:
        """``hashing-<dimensions>``."""
        return f"hashing-{self.dimensions}"

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Counts with signs, [n, dimensions] float32."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in words_of(text):
                framed = f"<{word}>"
                for gram in (framed, *(framed[i : i + 3] for i in range(len(framed) - 2))):
                    code = zlib.crc32(gram.encode())
                    vectors[row, code % self.dimensions] += 1.0 if code >> 31 else -1.0
        return vectors
