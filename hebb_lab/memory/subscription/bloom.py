"""A Bloom filter of words: no false negatives, few false positives, and no word in it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

MOST_HASHES = 20
FEWEST_BITS = 64


class BloomFilter:
    """m = −n ln p/(ln 2)² bits, 64 at least, k = m/n ln 2 hashes, 1 to 20 (hebbs §5.1).

    Args:
        capacity: n words that it is made for.
        rate: p, the share of other words that it takes for known when n are in it.

    >>> known = BloomFilter(10)
    >>> known.add(["sail", "island"])
    >>> known.contains(["island", "glacier"]).tolist()
    [True, False]
    """

    def __init__(self, capacity: int, rate: float = 0.01) -> None:
        count = max(capacity, 1)
        self.capacity = count
        self.bits = max(FEWEST_BITS, math.ceil(-count * math.log(rate) / math.log(2) ** 2))
        self.hashes = min(MOST_HASHES, max(1, round(self.bits / count * math.log(2))))
        self.words = 0
        """Words that were new to it."""
        self._set = np.zeros(self.bits, np.bool_)

    def add(self, words: Iterable[str]) -> None:
        """Take words in."""
        places = self._places(list(dict.fromkeys(words)))
        self.words += int((~self._set[places].all(1)).sum())
        self._set[places] = True

    def contains(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Which words it may have: every one that it has, and few others."""
        held: NDArray[np.bool_] = np.all(self._set[self._places(list(words))], axis=1)
        return held

    def _places(self, words: list[str]) -> NDArray[np.int64]:
        digests = b"".join(blake2b(word.encode(), digest_size=16).digest() for word in words)
        first, step = np.frombuffer(digests, "<u8").reshape(-1, 2).T
        along = np.arange(self.hashes, dtype=np.uint64)
        # An odd step never is 0, so that a word sets as many bits as it can.
        sums = first[:, None] + along * (step | np.uint64(1))[:, None]
        return (sums % np.uint64(self.bits)).astype(np.int64)
