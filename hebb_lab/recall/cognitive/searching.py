"""Direct lists of an arm: searched, scored, held back, and cut; once for all arms that share it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.kernels.cpu.cognitive.lists import Lists, best_lists, empty_lists
from hebb_lab.recall.cognitive.direct import SEEDERS, WITHOUT_WORDS, Collection
from hebb_lab.recall.cognitive.scoring.composite import CompositeScorer
from hebb_lab.recall.cognitive.scoring.habituation import Habituation, held_back
from hebb_lab.recall.cognitive.scoring.scorer import RESULTS, PhaseScorer, Scored, as_it_stands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.recall.cognitive.plan import Asked, Plan
    from hebb_lab.recall.cognitive.scoring.profiles import Profile
    from hebb_lab.records import Memories


class DirectKey(NamedTuple):
    """What decides the direct lists of an arm; arms with the same key share them."""

    seeder: str
    scoring: str
    profile: str | None
    importance: str
    arousal: bool
    habituation: bool
    memory: MemoryRules | None = None

    @classmethod
    def of(cls, plan: Plan) -> DirectKey:
        """What of a plan matters: phases alone look at profiles and arousal."""
        seeder = plan.seeder
        if plan.rules.text_fusion == "after":
            seeder = WITHOUT_WORDS.get(seeder, seeder)
        if plan.scoring == "memory":
            return cls(
                seeder, plan.scoring, None, plan.importance, True, plan.habituation, plan.memory
            )
        if plan.scoring != "phases":
            return cls(seeder, plan.scoring, None, "given", True, plan.habituation)
        return cls(
            seeder, plan.scoring, plan.profile, plan.importance, plan.rules.arousal_slows_decay,
            plan.habituation,
        )  # fmt: skip


class Found(NamedTuple):
    """The known memories as direct search scores them, and the best of them."""

    scored: Scored
    lists: Lists


@dataclass
class DirectSearch:
    """Direct search of one scope, query by query in time order.

    Args:
        collection: of the scope.
        memories: importance (``given`` or ``surprise``) → the memories of the scope with it.
        asked: all queries.
        depth: of the lists.
        profiles: a plan's profile → that of each query.
    """

    collection: Collection
    memories: Callable[[str], Memories]
    asked: Asked
    depth: int
    profiles: Callable[[str | None], Sequence[Profile | None]]
    _tired: dict[DirectKey, Recalled] = field(default_factory=dict)

    def find(self, key: DirectKey, rows: slice) -> Found:
        """Search for some queries of one age; where lists are held back, in time order only."""
        known, texts = int(self.asked.known[rows.start]), self.asked.texts[rows]
        direct = SEEDERS[key.seeder](self.collection, texts, known)
        if key.scoring == "phases":
            scorer = PhaseScorer(self.memories(key.importance), key.arousal)
            scored = scorer.score(direct, self.asked, rows, self.profiles(key.profile))
        elif key.memory is not None:
            by_cosine = key.seeder == "dense"
            model = CompositeScorer(self.memories(key.importance), key.memory, by_cosine)
            scored = model.score(direct, self.asked, rows)
        else:
            scored = as_it_stands(direct)
        if key.habituation:
            return self._held_back(key, rows, scored)
        return Found(scored, self._lists(scored.scores))

    def words_alone(self, rows: slice, allowed: NDArray[np.bool_]) -> Lists:
        """The lists of BM25, for arms where it joins after expansion."""
        known, texts = int(self.asked.known[rows.start]), self.asked.texts[rows]
        scores = SEEDERS["bm25"](self.collection, texts, known).scores
        return self._lists(np.where(allowed, scores, np.float32(-np.inf)).astype(np.float32))

    def _lists(self, scores: NDArray[np.float32]) -> Lists:
        return best_lists(scores, self.collection.name_rank, self.depth)

    def _held_back(self, key: DirectKey, rows: slice, scored: Scored) -> Found:
        """What queries at earlier times were given counts less."""
        scores, lists = scored.scores.copy(), empty_lists(rows.stop - rows.start, self.depth)
        state = self._tired.setdefault(key, Recalled(Habituation.of(len(self.collection.names))))
        for first, last in spans_of_one_time(self.asked.time_us[rows]):
            now = int(self.asked.time_us[rows.start + first])
            penalty = state.until(now).penalty(now)[: scores.shape[1]]
            scores[first:last] = held_back(scores[first:last], penalty)
            part = self._lists(scores[first:last])
            lists.memory[first:last], lists.score[first:last] = part
            state.waiting.append((now, part.memory[:, :RESULTS]))
        return Found(scored._replace(scores=scores), lists)


@dataclass
class Recalled:
    """Habituation that learns of a query's results when time has passed it."""

    state: Habituation
    waiting: list[tuple[int, NDArray[np.int32]]] = field(default_factory=list)

    def until(self, now_us: int) -> Habituation:
        """The state that queries at ``now_us`` meet."""
        while self.waiting and self.waiting[0][0] < now_us:
            time_us, lists = self.waiting.pop(0)
            for row in lists:
                self.state.recall(row[row >= 0], time_us)
        return self.state


def spans_of_one_time(time_us: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """[first, last) of each stretch of queries at one time.

    >>> list(spans_of_one_time(np.array([3, 3, 7])))
    [(0, 2), (2, 3)]
    """
    ends = [0, *(np.flatnonzero(np.diff(time_us)) + 1).tolist(), len(time_us)]
    yield from ((first, last) for first, last in pairwise(ends) if last > first)
