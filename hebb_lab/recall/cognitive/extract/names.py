"""Known names in a text, by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hebb_lab.recall.cognitive.extract.stop_words import FUNCTION_WORDS
from hebb_lab.recall.words import words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NameFinder:
    """Finds known names in texts, word by word, whatever their endings and case.

    The names stand in a tree of stemmed words; a text is read once along it. Names that are one
    letter or function words alone ("Will", "IT") count only where they are written just so, in
    upper case, and not at the very beginning. Names that are one up to their endings are all found.

    Args:
        names: their place here is their id.

    >>> finder = NameFinder(["connection pool", "database", "Will"])
    >>> finder.find("How do we pool connections? Connection pools of databases will do.")
    [0, 1]
    """

    def __init__(self, names: Sequence[str]) -> None:
        import Stemmer

        self._stem = Stemmer.Stemmer("english").stemWords
        self._names = names
        self._next: dict[tuple[int, str], int] = {}
        self._ids: dict[int, list[int]] = {}
        self._guarded: set[int] = set()
        for i, name in enumerate(names):
            words = words_of(name)
            if words:
                self._add(i, words)

    def _add(self, i: int, words: list[str]) -> None:
        if all(len(word) == 1 or word in FUNCTION_WORDS for word in words):
            self._guarded.add(i)
        node = 0
        for stem in self._stem(words):
            node = self._next.setdefault((node, stem), len(self._next) + 1)
        self._ids.setdefault(node, []).append(i)

    def find(
        self, text: str, every: bool = False, among: NDArray[np.bool_] | None = None
    ) -> list[int]:
        """The ids of the names that stand in a text, in their order, distinct.

        Args:
            text: what is read.
            every: also names inside longer names; otherwise the longest at each place.
            among: [names], which names there are for this text; None: all. One that is not there
                hides no shorter one.
        """
        stems = self._stem(words_of(text))
        found: dict[int, None] = {}
        at = 0
        while at < len(stems):
            matches = [
                (end, i)
                for end, i in self._at(stems, at)
                if (among is None or among[i]) and self._stands(i, text)
            ]
            longest = max((end for end, _ in matches), default=at)
            found.update((i, None) for end, i in matches if every or end == longest)
            at = at + 1 if every else max(longest, at + 1)
        return list(found)

    def _at(self, stems: list[str], start: int) -> list[tuple[int, int]]:
        """(one past its last word, id) of each name that begins at a word."""
        node, matches = 0, []
        for place in range(start, len(stems)):
            step = self._next.get((node, stems[place]))
            if step is None:
                break
            node = step
            matches += [(place + 1, i) for i in self._ids.get(node, ())]
        return matches

    def _stands(self, i: int, text: str) -> bool:
        """Whether a name that is an ordinary word is written as a name."""
        if i not in self._guarded:
            return True
        name = self._names[i]
        at = text.find(name, 1) if name != name.lower() else -1
        while at >= 0:
            after = text[at + len(name) : at + len(name) + 1]
            if not text[at - 1].isalnum() and not after.isalnum():
                return True
            at = text.find(name, at + 1)
        return False
