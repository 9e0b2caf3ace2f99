"""Reading run folders, and finding them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kinds import kind_of
from hebb_lab.runs.layout import PARTIAL, PER_QUERY_SCHEMA, REPLACED, RESULT_KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MARKS = ("result.json", "config.yaml", "per_query.parquet")
"""A folder that holds one of these is a run, whole or broken."""


@dataclass(frozen=True)
class Run:
    """A stored run: its result.json, and its per-query rows when asked for.

    Args:
        folder: where it stands.
        result: result.json as plain values.
    """

    folder: Path
    result: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Experiment and id."""
        return f"{self.result['experiment']}/{self.result['run_id']}"

    @property
    def kind(self) -> str:
        """``ablation`` or another name of KINDS."""
        return str(self.result.get("kind", "ablation"))

    @property
    def dataset(self) -> Mapping[str, Any]:
        """Name, sha256 and counts of the dataset."""
        dataset: Mapping[str, Any] = self.result["dataset"]
        return dataset

    @property
    def arms(self) -> dict[str, Mapping[str, Any]]:
        """The arms' (or models') entries by name, in the order of the run."""
        entries = self.result["arms"] if "arms" in self.result else self.result["models"]
        return {entry["arm"]: entry for entry in entries}

    @property
    def tasks(self) -> dict[str, Mapping[str, Any]]:
        """The tasks' entries by name, in the order of the run."""
        return {entry["task"]: entry for entry in self.result["tasks"]}

    @property
    def failed(self) -> list[str]:
        """Names of the arms that failed."""
        return [name for name, entry in self.arms.items() if entry["status"] == "failed"]

    @property
    def base(self) -> str | None:
        """The arm that every other is compared with; None when a run names none."""
        named = (entry["base"] for entry in self.result["arms"] if entry.get("base"))
        return self.result.get("base") or next(named, None)

    @cached_property
    def config(self) -> dict[str, Any]:
        """config.yaml as plain values."""
        from omegaconf import OmegaConf

        values: Any = OmegaConf.to_container(OmegaConf.load(self.folder / "config.yaml"))
        return dict(values or {})

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """One row a query, task and arm; see PER_QUERY_SCHEMA.

        Raises:
            InputError: when the file is absent, cut off, or has other columns.
        """
        path = self.folder / "per_query.parquet"
        try:
            frame = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"cannot be read ({error})", _AGAIN, path) from error
        if frame.schema != pl.Schema(PER_QUERY_SCHEMA):
            raise InputError("has other columns than this version writes", _AGAIN, path)
        return frame


_AGAIN = "Delete the run folder and run it again"


def read_run(folder: Path) -> Run:
    """Read a run folder; the per-query rows are read when they are first asked for.

    Raises:
        InputError: when result.json is absent, is not JSON, or lacks a part.
    """
    path = folder / "result.json"
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("the run has no result.json", _AGAIN, folder) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", _AGAIN, path) from error
    missing = _missing(result, path)
    if missing:
        raise InputError(f"lacks {', '.join(missing)}", _AGAIN, path)
    return Run(folder, result)


def _missing(result: Any, path: Path) -> list[str]:
    """The parts that a result lacks."""
    if not isinstance(result, dict):
        return [*RESULT_KEYS]
    try:
        kind = kind_of(result)
    except ConfigError as error:
        raise InputError(error.problem, "Read it with the version that wrote it", path) from None
    return [key for key in (*kind.keys, *RESULT_KEYS) if key not in result]


def find_runs(root: Path) -> tuple[list[Path], list[Path]]:
    """The run folders in a folder, or the folder itself when it is one.

    Args:
        root: ``runs/``, ``runs/<experiment>`` or ``runs/<experiment>/<id>``.

    Returns:
        (whole ones, ones that are being written or were interrupted), sorted by path.

    Raises:
        InputError: when the folder is absent, is a file, or holds no run.
    """
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "there is no such folder"
        raise InputError(what, "Give the folder that holds the runs, such as runs/", root)
    levels = [root, *root.glob("*"), *root.glob("*/*")]
    folders = sorted(f for f in levels if f.is_dir() and not f.name.endswith(REPLACED))
    partial = [f for f in folders if f.name.endswith(PARTIAL)]
    whole = [f for f in folders if f not in partial and any((f / mark).is_file() for mark in MARKS)]
    if not whole and not partial:
        cure = "Run an experiment first: python -m hebb_lab.run +exp=ablation"
        raise InputError("holds no run", cure, root)
    return whole, partial


def status(folder: Path) -> str | None:
    """``ok`` or ``failed_arms`` of a stored run; None when there is none to skip or to mend."""
    try:
        return str(read_run(folder).result["status"])
    except InputError:
        return None
