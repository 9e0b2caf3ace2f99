"""The kinds of runs, by name: what each does, tells and reports.

A config says which with ``kind``, and result.json keeps it; a run without one is an ablation. The
parts of a kind are named, not imported: only the kind that is used is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.runs import Run, RunWriter
    from hebb_lab.runs.rebuild import Options


@dataclass(frozen=True)
class Outcome:
    """Where a run stands and how it ended: ``ok``, ``failed_arms``, or ``found`` finished."""

    folder: Path
    status: str


class Work(Protocol):
    """What is done with a dataset that is ready: arms, kept one by one, and what they come to."""

    @property
    def columns(self) -> Mapping[str, Any]:
        """Schema of the rows that an arm keeps."""

    def run(self, writer: RunWriter, progress: Callable[[str, int, int], None]) -> None:
        """Run the arms that are not finished yet."""

    def assemble(
        self, writer: RunWriter, result: Mapping[str, Any], files: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """Put the arms together; gives the whole of result.json."""


@dataclass(frozen=True)
class Kind:
    """A kind of run. Parts are ``module:function``.

    Args:
        keys: what result.json of such a run must have beside what all have.
        execute_by: (settings, config) → Outcome.
        tell_by: (folder) prints what the command line says at the end.
        headline_by: (folder) → the value that a sweep can optimise, or None.
        report_by: (run, out, options) writes tables and figures of one run and gives its board.
        overall_by: ([(run, board)], out, options) writes those over many runs.
    """

    keys: tuple[str, ...]
    execute_by: str
    tell_by: str
    headline_by: str
    report_by: str
    overall_by: str

    def execute(self, settings: Settings, config: Mapping[str, Any]) -> Outcome:
        """Run it, or find it finished."""
        outcome: Outcome = _part(self.execute_by)(settings, config)
        return outcome

    def tell(self, folder: Path) -> None:
        """Print what a finished run found."""
        _part(self.tell_by)(folder)

    def headline(self, folder: Path) -> float | None:
        """What a sweep can optimise."""
        value: float | None = _part(self.headline_by)(folder)
        return value


def _part(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    part: Callable[..., Any] = getattr(import_module(module), function)
    return part


KINDS: Registry[Kind] = Registry("kind of run")
KINDS.register("ablation")(
    Kind(
        ("tasks", "arms", "metrics"),
        "hebb_lab.experiment.execute:execute_ablation",
        "hebb_lab.experiment.summary:tell",
        "hebb_lab.experiment.summary:headline",
        "hebb_lab.runs.rebuild:write_run",
        "hebb_lab.runs.rebuild:write_overall",
    )
)
KINDS.register("halflife")(
    Kind(
        ("models", "blocks", "horizons", "settings"),
        "hebb_lab.halflife.protocol.execute:execute_half_life",
        "hebb_lab.halflife.report.tell:tell",
        "hebb_lab.halflife.report.tell:headline",
        "hebb_lab.halflife.report.write:write_run",
        "hebb_lab.halflife.report.write:write_overall",
    )
)
KINDS.register("layers")(
    Kind(
        ("tasks", "arms", "metrics", "layers"),
        "hebb_lab.layers.protocol.execute:execute_layers",
        "hebb_lab.layers.report.tell:tell",
        "hebb_lab.layers.report.tell:headline",
        "hebb_lab.layers.report.write:write_run",
        "hebb_lab.runs.rebuild:write_overall",
    )
)
KINDS.register("memory")(
    Kind(
        ("tasks", "arms", "metrics", "memory"),
        "hebb_lab.lifecycles.protocol.execute:execute_memory",
        "hebb_lab.lifecycles.report.tell:tell",
        "hebb_lab.lifecycles.report.tell:headline",
        "hebb_lab.lifecycles.report.write:write_run",
        "hebb_lab.runs.rebuild:write_overall",
    )
)


def kind_of(result: Mapping[str, Any]) -> Kind:
    """The kind of a stored run.

    Args:
        result: its result.json.

    Raises:
        ConfigError: a kind that this version does not know.
    """
    return KINDS[str(result.get("kind", "ablation"))]


def write_run(run: Run, out: Path, options: Options | None = None) -> Any:
    """Write tables and figures of one run, as its kind has them; gives its board."""
    return _part(kind_of(run.result).report_by)(run, out, options)


def write_overall(
    boards: Sequence[tuple[Run, Any]], out: Path, options: Options | None = None
) -> None:
    """Write tables and figures over many runs, those of each kind by themselves.

    The tables of the first kind that is there are ``leaderboard.*``, those of another
    ``leaderboard_KIND.*``.
    """
    there = [name for name in KINDS if any(run.kind == name for run, _ in boards)]
    for place, name in enumerate(there):
        own = [(run, board) for run, board in boards if run.kind == name]
        stem = f"leaderboard_{name}" if place else "leaderboard"
        _part(KINDS[name].overall_by)(own, out, options, stem)
