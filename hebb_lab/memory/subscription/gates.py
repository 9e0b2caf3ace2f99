"""What spares a lookup: words that no memory in scope has, and a stream far from their mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.subscription.bloom import BloomFilter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.changes import Journal
    from hebb_lab.memory.state import State

FEWEST_BYTES = 3
_AT_ONCE = 8192  # texts, or vectors
_WORD = re.compile(r"[^\W_]+")


def keywords(text: str) -> list[str]:
    """Lower-case runs of letters and digits, of three bytes or more, without function words.

    >>> keywords("The Sloop's at 12 Oslo_pier, ok?")
    ['sloop', 'oslo', 'pier']
    """
    from hebb_lab.recall.cognitive.extract.stop_words import FUNCTION_WORDS  # brings polars

    words = (word.lower() for word in _WORD.findall(text))
    return [w for w in words if len(w.encode()) >= FEWEST_BYTES and w not in FUNCTION_WORDS]


class Gates:
    """Keywords and centre of the memories in scope, kept as they change.

    New memories are added; where one of the others is gone or was rewritten, everything is made
    anew, so that nothing of a forgotten memory is left.

    Args:
        with_words: whether keywords are kept.
    """

    def __init__(self, *, with_words: bool) -> None:
        self._with_words = with_words
        self.clear()

    def clear(self) -> None:
        """Let go of everything."""
        self._rows = np.zeros(0, np.int64)
        self._written = np.zeros((2, 0), np.int64)
        self._sum: NDArray[np.float64] | float = 0.0
        self._words = BloomFilter(0)

    def follow(self, state: State, journal: Journal, rows: NDArray[np.int64]) -> None:
        """Bring them to the memories that are in scope now.

        Args:
            state: of the store.
            journal: of the store, for what memories say.
            rows: in scope, ascending.
        """
        # What a row says changes only with its clock or the time of its update.
        written = np.stack([state.column("updated_us")[rows], state.column("clock")[rows]])
        known = len(self._rows)
        if not (
            len(rows) >= known
            and (rows[:known] == self._rows).all()
            and (written[:, :known] == self._written).all()
        ):
            self.clear()
            known = 0
        for first in range(known, len(rows), _AT_ONCE):
            part = rows[first : first + _AT_ONCE]
            self._sum = self._sum + state.vectors.take(part).sum(0, dtype=np.float64)
        if self._with_words and known < len(rows):
            self._learn(state, journal, rows, known)
        self._rows, self._written = rows, written

    def _learn(self, state: State, journal: Journal, rows: NDArray[np.int64], known: int) -> None:
        words = _words_of(state, journal, rows[known:])
        if self._words.words + len(words) > self._words.capacity:
            # Made for twice the words that there are, so that few new memories make it anew.
            every = words if not known else _words_of(state, journal, rows)
            self._words = BloomFilter(2 * len(every))
            words = every
        self._words.add(words)

    def are_of(self, state: State) -> bool:
        """Whether every memory that they know is still there."""
        return bool(state.alive[self._rows].all())

    def has_word_of(self, text: str) -> bool:
        """Whether a memory in scope may have a keyword of a text."""
        words = keywords(text)
        return bool(words) and bool(self._words.contains(words).any())

    def centre(self) -> NDArray[np.float32] | None:
        """The direction [d] of the mean of the vectors in scope; None where there is none."""
        norm = float(np.linalg.norm(self._sum))
        return None if norm <= 1e-9 else (np.asarray(self._sum) / norm).astype(np.float32)


def _words_of(state: State, journal: Journal, rows: NDArray[np.int64]) -> set[str]:
    words: set[str] = set()
    for first in range(0, len(rows), _AT_ONCE):
        for content in journal.contents(state.ids_of(rows[first : first + _AT_ONCE])):
            words.update(keywords(content))
    return words
