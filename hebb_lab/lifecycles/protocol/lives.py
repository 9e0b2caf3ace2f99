"""Replaying a story under one way of learning, and what the store holds after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import parse
from hebb_lab.evaluation.judge import judge
from hebb_lab.lifecycles.protocol.papers import sittings_of
from hebb_lab.lifecycles.protocol.parts import parts_of
from hebb_lab.lifecycles.protocol.retention import retention_of
from hebb_lab.lifecycles.protocol.tuning import candidates, picked
from hebb_lab.lifecycles.replay.examine import Examiner, pieced
from hebb_lab.lifecycles.replay.living import Living
from hebb_lab.lifecycles.replay.story import DAY_US

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.lifecycles.arms import Life, MemoryArm
    from hebb_lab.lifecycles.arms.arm import Reading
    from hebb_lab.lifecycles.protocol.tuning import Pick
    from hebb_lab.lifecycles.replay.examine import Examined
    from hebb_lab.lifecycles.replay.sheet import Sheet
    from hebb_lab.lifecycles.replay.story import Asked, Story
    from hebb_lab.lifecycles.settings import MemorySettings

Progress = Callable[[int, int], None]


def unheard(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class Lives:
    """Replays one story under many ways of learning.

    Args:
        story: what happens.
        settings: horizons, practice, sweeps, tuning.
        tasks: of the data, name → task.
        tokens: [N] of each node.
        depth: nodes that an answer holds.
        seed: of ids and folds.
    """

    story: Story
    settings: MemorySettings
    tasks: Mapping[str, Task]
    tokens: NDArray[np.int32]
    depth: int
    seed: int

    def replayed(
        self, life: Life, asked: Asked, readings: Sequence[Reading], told: Progress = unheard,
        horizons: Sequence[float] | None = None,
    ) -> tuple[Living, dict[Reading, Examined]]:  # fmt: skip
        """Replay the story on a new store, and ask the questions under every reading."""
        from hebb_lab.memory.store import MemoryStore
        from hebb_lab.memory.strategies import recall

        settings, width = self.settings, int(self.story.items.vectors.shape[1])
        rng = np.random.default_rng([self.seed, 0x11FE])
        store = MemoryStore.in_memory(width, rules=life.rules, rng=rng)
        sweep_us = round(settings.sweep_days * DAY_US)
        living = Living(self.story, life, store, settings.practice_k, sweep_us)
        wanted = settings.horizons if horizons is None else horizons
        examiner = Examiner(living, asked, readings, wanted, self.depth, recall)
        living.run(asked, examiner.ask, told)
        return living, examiner.found

    def picks(self, life: Life, arms: Sequence[MemoryArm], told: Progress) -> dict[str, Pick]:
        """What the practice questions choose for arms, in one replay; asked before practised.

        Raises:
            InputError: all questions are of one cluster, or all test questions of one time.
            ConfigError: an arm without a grid.
        """
        tuning, practice = self.settings.tuning, self.story.practice
        rng = np.random.default_rng([self.seed, 0xF01D])
        parts = parts_of(self.story, tuning.folds, rng)
        tried = {}
        for arm in arms:
            if arm.tuned not in tuning.grids:
                raise ConfigError(
                    f"memory.tuning.grids has no grid for arm {arm.name}", f"Give {arm.tuned}"
                )
            tried[arm.name] = candidates(arm, tuning.grids[str(arm.tuned)])
        readings = dict.fromkeys(c.arm.reading() for own in tried.values() for c in own)
        first = self.settings.horizons[:1]
        _, found = self.replayed(life, practice, list(readings), told, first)
        broken = next((e.error for e in found.values() if e.error is not None), None)
        if broken is not None:
            raise broken
        by, made = "time" if self.story.ordered else "clusters", {}
        for name, own in tried.items():
            sheets = [found[candidate.arm.reading()].sheet for candidate in own]
            scores = np.stack([self.practised(sheet) for sheet in sheets])
            made[name] = picked(own, scores, parts, by)
        return made

    def practised(self, sheet: Sheet) -> NDArray[np.float64]:
        """[P] metric of the tuning on each practice question, by the first task that asks it."""
        measure, practice = parse(self.settings.tuning.metric), self.story.practice
        scores = np.zeros(len(practice))
        for sitting in reversed(sittings_of(self.tasks, practice, (0,))):
            ranking = sheet.ranking(0, sitting.rows)
            scores[sitting.rows] = measure(judge(ranking, sitting.judged.qrels, self.tokens))
        return scores

    def facts(self, living: Living, seconds: float) -> dict[str, Any]:
        """How a store learned, what happened to it, and what is left after days."""
        settings, life, state = self.settings, living.life, living.store.state
        return {
            "key": life.key(), "practice": life.practice, "forgets": life.forgets,
            "revises": life.revises, "strategies": list(life.strategies),
            "seconds": round(seconds, 3), "rows": int(state.count),
            "memories": int(state.alive.sum()), "edges": len(state.edges.source),
            "bytes": int(state.byte_count()), "counts": dict(living.counts),
            "retention": retention_of(
                living, settings.retention_days, settings.retention_half_lives
            ),
        }  # fmt: skip


def readings_of(arm: MemoryArm, pick: Pick | None) -> list[Reading]:
    """The reading of an arm, or those that answer the parts of what practice chose for it."""
    arms = [arm] if pick is None else [each.arm for each in pick.parts]
    return [each.reading() for each in arms]


def answered(found: Mapping[Reading, Examined], arm: MemoryArm, pick: Pick | None) -> Examined:
    """The arm's answers: of its reading, or part by part of the readings that practice chose."""
    if pick is None:
        return found[arm.reading()]
    return pieced([(found[each.arm.reading()], each.part.test) for each in pick.parts])
