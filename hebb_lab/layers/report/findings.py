"""All that a layers run found, computed once for page, tables, figures and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.layers.arms.standard import FULL, PAGE
from hebb_lab.layers.report.categories import Cell, category_cells
from hebb_lab.layers.report.effects import LayerRow, layer_rows
from hebb_lab.pages.families import Standing, standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.layers.report.stored import Stored

TURNED = f"Deviations, each turned by itself on {PAGE}"
STORAGE = "Deviations that change no ranking by definition"
"""Title of what stands apart: how graphs are stored, named and told of."""
_STORAGE = tuple(
    f"switch_{name}" for name in ("incidence", "trace", "file_format", "layer_numbers")
)
TABLES: Mapping[str, tuple[str, ...]] = {
    "Systems": ("stack", "systems", "tuned", "own"),
    "Layers removed from tuned": ("tuned_remove",),
    TURNED: ("switches",),
    STORAGE: ("switches",),
    f"Null models, in {FULL}": ("nulls",),
    "What surrounds the graph": ("surroundings",),
    "Floors": ("floors",),
}
"""Title → groups of arms; each table is a family of tests."""


class Compared(NamedTuple):
    """A table of arms on one task, each against its base under the first metric."""

    task: str
    title: str
    arms: Mapping[str, Standing]


@dataclass(frozen=True)
class Findings:
    """What a run found.

    Args:
        stored: the run.
        rows: one a task and layer.
        compared: tables of arms.
        cells: quality by category.
    """

    stored: Stored
    rows: Sequence[LayerRow]
    compared: Sequence[Compared]
    cells: Sequence[Cell]

    def rows_of(self, task: str) -> list[LayerRow]:
        """The layers on one task."""
        return [row for row in self.rows if row.task == task]

    def standing(self, task: str, arm: str) -> Standing:
        """An arm against its base, in whichever table it stands."""
        found = (table.arms[arm] for table in self.compared
                 if table.task == task and arm in table.arms)  # fmt: skip
        return next(found, Standing())

    def arms_of(self, task: str, title: str) -> Mapping[str, Standing]:
        """The arms of a table; empty where there is none."""
        found = (each.arms for each in self.compared if (each.task, each.title) == (task, title))
        return next(found, {})

    def values(self) -> dict[str, Any]:
        """``{"layers": […], "arms": […], "categories": […]}`` as plain values."""
        return {
            "layers": [_layer(row) for row in self.rows],
            "arms": [
                {"task": table.task, "table": table.title, "arm": arm, **standing._asdict()}
                for table in self.compared
                for arm, standing in table.arms.items()
            ],
            "categories": [cell._asdict() for cell in self.cells],
        }


def findings_of(stored: Stored, settings: Settings) -> Findings:
    """Everything, from a stored run alone.

    Raises:
        InputError: when the run's files cannot be read or do not fit its arms.
    """
    metric = stored.metrics[0]
    compared = []
    for task in stored.run.tasks:
        for title, groups in TABLES.items():
            arms = _arms(stored, title, groups)
            if arms:
                family = standings(stored, settings, task, arms, metric)
                compared.append(Compared(task, title, family))
    return Findings(stored, layer_rows(stored, settings), compared, category_cells(stored))


def _arms(stored: Stored, title: str, groups: Sequence[str]) -> list[str]:
    """The arms of a table: of deviations those that are about storage stand apart."""
    arms = [arm for group in groups for arm in stored.group(group)]
    return [arm for arm in arms if (arm in _STORAGE) == (title == STORAGE)]


def _layer(row: LayerRow) -> dict[str, Any]:
    return {
        "task": row.task,
        "layer": row.layer,
        "effects": {
            metric: {kind: effect._asdict() for kind, effect in kinds.items()}
            for metric, kinds in row.effects.items()
        },
        "work": dict(row.work),
        "note": row.note,
    }
