"""Text as it arrives, cut into pieces that are looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hebb_lab.memory.limits import CONTENT_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules

FEWEST_WORDS = 3  # that flush_ms flushes


class Piece(NamedTuple):
    """A piece of a stream: its number, when it was complete, and its text or its vector."""

    number: int
    at_us: int
    text: str = ""
    vector: NDArray[np.float32] | None = None


class TextBuffer:
    """What has arrived and waits to be enough.

    A piece is complete with its flush_tokens-th word, whatever else came with it, or flush_ms
    after its first word, where it has three words by then. Words are what spaces separate.

    Args:
        rules: flush_tokens, flush_ms.
    """

    def __init__(self, rules: MemoryRules) -> None:
        self._least = rules.flush_tokens
        self._wait_us = round(rules.flush_ms * 1000)
        self._parts: list[str] = []
        self._words = 0
        self._bytes = 0
        self._first_us = 0

    def add(self, text: str, at_us: int) -> list[tuple[int, str]]:
        """Take text; the pieces (time, text) that are complete by it.

        What is due by then goes before it; so does what would be over 65,536 bytes with it.
        """
        words, size = len(text.split()), len(text.encode())
        if not words:
            return self.due(at_us)
        done = self.due(at_us)
        if self._bytes + size + 1 > CONTENT_BYTES:
            done += self.flush(at_us)
        if not self._parts:
            self._first_us = at_us
        self._parts.append(text)
        self._words += words
        self._bytes += size + 1
        if self._words >= self._least:
            done += self.flush(at_us)
        return done

    def due(self, at_us: int) -> list[tuple[int, str]]:
        """What has waited for flush_ms: complete when it was due, however late one asks."""
        due_us = self._first_us + self._wait_us
        return self.flush(due_us) if self._words >= FEWEST_WORDS and at_us >= due_us else []

    def flush(self, at_us: int) -> list[tuple[int, str]]:
        """Whatever has arrived, as the last piece."""
        text = " ".join(self._parts)
        self.clear()
        return [(at_us, text)] if text else []

    def clear(self) -> None:
        """Let go of what has arrived."""
        self._parts, self._words, self._bytes = [], 0, 0
