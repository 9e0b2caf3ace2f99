"""Orders that need no memory model: the main experiment's, at the same moments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hebb_lab.lifecycles.replay.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.lifecycles.protocol.papers import Sitting


@dataclass(frozen=True)
class Floors:
    """The methods of the main experiment that need no rules.

    Args:
        prepared: the dataset.
        settings: of the run.
        embedder: that the run has.
        backend: as the main experiment takes it.
    """

    prepared: Prepared
    settings: Settings
    embedder: str
    backend: Backend

    @cached_property
    def _shop(self) -> Any:
        from hebb_lab.experiment.workshop import Workshop

        recall = replace(self.settings.recall, embedder=self.embedder)
        return Workshop(self.prepared, replace(self.settings, recall=recall), (), self.backend)

    def answer(self, method: str, sittings: Sequence[Sitting], questions: int) -> Sheet:
        """What a method gives; it knows no silence, so every horizon has the same.

        Args:
            method: a name of METHODS that reads no rules.
            sittings: all tasks at all horizons.
            questions: number of test questions.

        Raises:
            MissingExtraError: what the method needs is not there.
        """
        from hebb_lab.experiment.methods import method_of

        horizons = 1 + max(sitting.horizon for sitting in sittings)
        sheet = Sheet.blank(horizons, questions, self.settings.recall.depth)
        for sitting in sittings:
            if sitting.horizon:
                continue
            arm: Any = None  # these methods ask nothing of an arm
            ranking = method_of(method)(self._shop, sitting.judged, arm).ranking
            sheet.ids[:, sitting.rows] = ranking.ids
            sheet.scores[:, sitting.rows] = ranking.scores
        return sheet
