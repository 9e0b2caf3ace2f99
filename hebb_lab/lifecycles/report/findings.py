"""All that a run on the lives of memories found, computed once for page, figures and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from hebb_lab.lifecycles.arms.deviations import NOT_ASKED
from hebb_lab.lifecycles.report.overlap import Overlap, overlap_of, plain
from hebb_lab.pages.families import Standing, standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.evaluation.leaderboard import Settings
    from hebb_lab.lifecycles.report.stored import Stored

TABLES: Mapping[str, tuple[str, ...]] = {
    "Systems and choices": ("systems", "tuned", "own"),
    "Strategies": ("strategies", "co_recall"),
    "Weights of the score": ("weights",),
    "Recency and decay in the score": ("recency", "decay"),
    "Reinforcement": ("reinforcement",),
    "Forgetting": ("forgetting",),
    "Revisions and scope": ("revisions", "scope"),
    "Deviations, each turned by itself": ("switches",),
    "Floors and ceilings": ("floors",),
}
"""Title → groups of arms; each table is a family of tests at each horizon."""


class Compared(NamedTuple):
    """A table of arms on one task of the data: at each sitting, each against its base.

    Args:
        of: the task of the data.
        title: a name of TABLES.
        arms: in the order of the run.
        standings: sitting → arm → how it stands.
    """

    of: str
    title: str
    arms: Sequence[str]
    standings: Mapping[str, Mapping[str, Standing]]


@dataclass(frozen=True)
class Findings:
    """What a run found.

    Args:
        stored: the run.
        compared: tables of arms.
        overlaps: of each task of the data, what practice needed before.
    """

    stored: Stored
    compared: Sequence[Compared]
    overlaps: Sequence[Overlap] = ()

    def metric(self, of: str) -> str:
        """The first headline of a task of the data."""
        first = self.stored.sittings()[of][0]
        return str(self.stored.run.tasks[first]["headline"])

    def value(self, sitting: str, of: str, arm: str) -> float | None:
        """An arm's headline at a sitting."""
        found: float | None = self.stored.row(sitting, arm, self.metric(of)).get("value")
        return found

    def days(self, sitting: str) -> float:
        """Of silence, before the questions of a sitting."""
        return float(self.stored.run.tasks[sitting]["days"])

    def tables_of(self, of: str) -> list[Compared]:
        """The tables of a task of the data."""
        return [table for table in self.compared if table.of == of]

    def values(self) -> dict[str, Any]:
        """``{"arms": […], "overlap": […]}`` as plain values.

        One entry a sitting, table and arm; one a task of the data.
        """
        return {
            "arms": [
                {"task": table.of, "sitting": sitting, "days": self.days(sitting),
                 "table": table.title, "arm": arm, **standing._asdict()}
                for table in self.compared
                for sitting, arms in table.standings.items()
                for arm, standing in arms.items()
            ],
            "overlap": [plain(overlap) for overlap in self.overlaps],
        }  # fmt: skip


def unasked(arm: str) -> bool:
    """Whether an arm turns a deviation of what no replay does.

    >>> unasked("switch_durability"), unasked("switch_causal")
    (True, False)
    """
    return arm.startswith("switch_") and arm.removeprefix("switch_") in NOT_ASKED


def idle(stored: Stored) -> dict[str, list[str]]:
    """Why → arms that cannot differ from their base on these data."""
    about, found = stored.memory, dict[str, list[str]]()
    bare = about.get("without_entity") or {"memories": 1, "questions": 1}
    if not about["edits"]:
        found["nothing here is edited, so nothing is revised"] = [
            *stored.group("revisions"), "switch_revise", "switch_revisions_kept",
            "switch_revise_context",
        ]  # fmt: skip
    if not bare["memories"]:
        found["every memory here has an entity"] = ["switch_unscoped_shared"]
    if not bare["questions"]:
        found["every question here has an entity"] = ["switch_temporal_needs_entity"]
    there = {why: [arm for arm in arms if stored.entry(arm)] for why, arms in found.items()}
    return {why: arms for why, arms in there.items() if arms}


def findings_of(stored: Stored, settings: Settings) -> Findings:
    """Everything, from a stored run alone.

    Raises:
        InputError: when the run's files cannot be read or do not fit its arms.
    """
    compared = []
    still = {arm for arms in idle(stored).values() for arm in arms}
    for of, sittings in stored.sittings().items():
        for title, groups in TABLES.items():
            every = [arm for group in groups for arm in stored.group(group)]
            arms = [arm for arm in every if not unasked(arm) and arm not in still]
            if arms:
                metric = str(stored.run.tasks[sittings[0]]["headline"])
                found = {name: standings(stored, settings, name, arms, metric) for name in sittings}
                compared.append(Compared(of, title, arms, found))
    overlaps = [overlap_of(stored, of, names) for of, names in stored.sittings().items()]
    return Findings(stored, compared, [each for each in overlaps if each is not None])
