"""Which names are at most two edits apart, exactly and in time near linear in the names.

Two names that are near become equal when letters are deleted from both (symmetric deletion):

- one edit: the same letter's place deleted from both (substitution), or one deleted from the
  longer;
- two edits: the same two places from both; one place each, any (a letter moved); two from the
  longer; or, lengths one apart, two from the longer of which one lies at the place deleted from
  the shorter.

Conversely, names that agree so are near: nothing but the first name of each such class has to be
kept, in place of all pairs, whose number can be quadratic. For a length L that takes L²/2 rounds
of a table as large as the names of that length. Letters are code points; a string's hash is a
sum over (letter, place), so that it is known without each deletion in constant time. What two
different strings with the same 64 bits would bring together is told apart in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.graph.cognitive.bounds import MOST_EDITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.graph.cognitive.directory.names import Names

ROOM = 1 << 19  # deletions that one round holds; its table has four places for each


def near_names(
    names: Names, chosen: NDArray[np.int64], distance: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first near name of each of n names, and the group that chains of near names make.

    Near: same type, 0 < Levenshtein distance ≤ ``distance``, in code points of the folded names.

    Args:
        names: all names.
        chosen: [n] some of their ids, distinct, by length and then by id.
        distance: 0, 1 or 2.

    Returns:
        [n] the place in ``chosen`` of the first name there that is near and stands before it, its
        own place where there is none; [n] the group, numbered by the place of its first name.

    Raises:
        ValueError: a distance above 2, which no rule set has.
    """
    if distance > MOST_EDITS:
        raise ValueError(f"names {distance} edits apart are not looked for")
    best = np.arange(len(chosen), dtype=np.int64)
    if distance == 0 or len(chosen) < 2:
        return best, best.copy()
    texts = [names.folded[i] for i in chosen.tolist()]
    kinds = np.array([names.kinds[i] for i in chosen.tolist()], np.int64)
    parent = best.copy()
    _search(_Hashed(texts, kinds), distance, best, parent)
    _tell_apart(texts, kinds, distance, best)
    while True:
        above = parent[parent]
        if (above == parent).all():
            return best, parent
        parent = above


class _Hashed:
    """Names by length, with the sums from which the hash of any deletion follows."""

    def __init__(self, texts: list[str], kinds: NDArray[np.int64]) -> None:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        raw = "".join(texts).encode("utf-32-le", "surrogatepass")
        letters = _mixed(np.frombuffer(raw, np.uint32).astype(np.uint64))
        place = np.arange(len(letters)) - np.repeat(self.start[:-1], lengths)
        factor = _mixed(np.arange(int(lengths.max()) + 1, dtype=np.uint64) << np.uint64(32))
        self.sums = np.zeros((3, len(letters) + 1), np.uint64)  # shifted by 0, 1 and 2 places
        for shift in range(3):
            term = np.where(place >= shift, letters * factor[np.maximum(place - shift, 0)], 0)
            np.cumsum(term, dtype=np.uint64, out=self.sums[shift, 1:])
        self.kind = _mixed(kinds.astype(np.uint64) + np.uint64(1 << 40))
        self.first = np.flatnonzero(np.diff(lengths, prepend=-1))
        self.length = lengths[self.first]
        self.stop = np.append(self.first[1:], len(texts))


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """64 bits that look random and are the same each time (splitmix64)."""
    z = (values + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def _search(
    hashed: _Hashed, distance: int, best: NDArray[np.int64], parent: NDArray[np.int64]
) -> None:
    """Run all rounds; ``best`` and ``parent`` take what they find."""
    from hebb_lab.graph.cognitive.directory import deletions

    most = int((hashed.stop - hashed.first).max())
    entries = int(((hashed.stop - hashed.first) * hashed.length).max())
    bits = max(4, 2 + int(np.ceil(np.log2(max(most, min(entries, ROOM))))))
    keys = np.zeros(1 << bits, np.uint64)
    values, marks = np.zeros(1 << bits, np.int64), np.zeros(1 << bits, np.int64)
    table = (keys, values, marks, np.uint64(64 - bits))
    text = (hashed.start, *hashed.sums, hashed.kind)
    round_number = 1
    for each, length in enumerate(hashed.length.tolist()):
        own = (int(hashed.first[each]), int(hashed.stop[each]))
        jobs: list[tuple[Any, ...]] = []
        if distance == 1:
            jobs.append((deletions.same_place, own, length))
        else:
            rounds = -(-(own[1] - own[0]) * length // ROOM)
            jobs += [(deletions.any_place, own, length, rounds)]
            jobs += [(deletions.same_places, own, length)]
        for shorter in (1, 2)[:distance]:
            place = int(np.searchsorted(hashed.length, length - shorter))
            if place < len(hashed.length) and hashed.length[place] == length - shorter:
                other = (int(hashed.first[place]), int(hashed.stop[place]))
                jobs.append((deletions.shorter, other, own, length, shorter))
                if shorter == 1 and distance == MOST_EDITS:
                    jobs.append((deletions.shorter_and_changed, other, own, length))
        for job, *arguments in jobs:
            flat = [n for part in arguments for n in (part if isinstance(part, tuple) else (part,))]
            round_number = job(*flat, *text, *table, round_number, best, parent)


def _tell_apart(
    texts: list[str], kinds: NDArray[np.int64], distance: int, best: NDArray[np.int64]
) -> None:
    """Drop what only the hashes made equal."""
    from rapidfuzz.distance import Levenshtein

    for i in np.flatnonzero(best != np.arange(len(best))).tolist():
        j = int(best[i])
        if kinds[i] != kinds[j] or (
            Levenshtein.distance(texts[i], texts[j], score_cutoff=distance) > distance
        ):
            best[i] = i
