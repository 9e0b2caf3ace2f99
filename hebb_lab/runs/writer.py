"""Writing a run: arm by arm, beside its place, renamed when whole."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import traceback
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

import polars as pl

from hebb_lab.errors import ConfigError
from hebb_lab.runs.layout import PARTIAL, PER_QUERY_SCHEMA, REPLACED, as_json, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass
class RunWriter:
    """Writes one run, arm by arm, and resumes it when it was interrupted.

    Use as ``with RunWriter(root / experiment / id, config) as writer``: entering it makes or
    reopens ``<id>.partial``, with the arms that an interrupted run, or a stored run with failed
    arms, had finished. Then ``write_arm``/``fail_arm``, ``assemble``, ``publish``.

    Args:
        folder: where the run will stand when it is whole.
        config: the resolved config, for config.yaml.
        columns: schema of the rows that an arm keeps.
    """

    folder: Path
    config: Mapping[str, Any]
    columns: Mapping[str, Any] = field(default_factory=lambda: PER_QUERY_SCHEMA)
    _lock: IO[str] | None = field(default=None, init=False, repr=False)

    @property
    def partial(self) -> Path:
        """The folder written to until the run is whole."""
        return self.folder.with_name(self.folder.name + PARTIAL)

    @property
    def log_path(self) -> Path:
        """Where the run's log goes."""
        return self.partial / "log.txt"

    def __enter__(self) -> RunWriter:
        from omegaconf import OmegaConf

        arms = self.partial / "arms"
        try:
            arms.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.partial)
        except OSError as error:
            raise ConfigError(
                f"the run cannot be written ({error.strerror or error})",
                "Choose a folder that can be written with paths.runs=DIR",
                self.folder,
            ) from None
        stored = self.folder / "arms"
        for path in sorted(stored.glob("*.json")):
            entry = _entry_of(path)
            if entry and entry["status"] == "ok" and not (arms / path.name).exists():
                for file in stored.glob(f"{path.stem}.*"):
                    shutil.copy2(file, arms / file.name)
        write_atomic(self.partial / "config.yaml", OmegaConf.to_yaml(dict(self.config)))
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()
            with contextlib.suppress(OSError):
                (self.partial / "lock").unlink()

    def finished_arms(self) -> dict[str, dict[str, Any]]:
        """The entries of the arms that need not run again, by name.

        An arm whose rows have other columns than this version writes runs again, and so does one
        whose files are damaged or not all there.
        """
        entries = [_entry_of(path) for path in sorted(self._arms().glob("*.json"))]
        whole = [entry for entry in entries if entry is not None and entry["status"] == "ok"]
        return {entry["arm"]: entry for entry in whole if self._is_of_now(entry["arm"])}

    def write_arm(self, entry: Mapping[str, Any], per_query: pl.DataFrame, trec: str = "") -> None:
        """Keep a finished arm.

        Args:
            entry: its item of ``result.json["arms"]``; ``status`` is set to ``ok``.
            per_query: its rows, in ``columns``.
            trec: its lines of run.trec; the last column should name the arm.

        Raises:
            ValueError: when the rows have other columns or belong to another arm.
        """
        arm = entry["arm"]
        others = set(per_query["arm"]) - {arm} if "arm" in self.columns else set()
        if per_query.schema != pl.Schema(self.columns) or others:
            raise ValueError(f"per-query rows of arm {arm!r}: {dict(per_query.schema)}")
        self.file_of(arm, "traceback.txt").unlink(missing_ok=True)
        beside = self.file_of(arm, "parquet.tmp")
        per_query.write_parquet(beside, compression="zstd")
        beside.replace(self.file_of(arm, "parquet"))
        write_atomic(self.file_of(arm, "trec"), trec)
        # The entry comes last: where it is, the rest is whole.
        write_atomic(self.file_of(arm, "json"), as_json({**entry, "status": "ok", "error": None}))

    def fail_arm(self, entry: Mapping[str, Any], error: BaseException) -> None:
        """Keep the traceback of an arm that failed; the others go on."""
        text = "".join(traceback.format_exception(error))
        write_atomic(self.file_of(entry["arm"], "traceback.txt"), text)
        failed = {**entry, "status": "failed", "error": f"{type(error).__name__}: {error}"}
        write_atomic(self.file_of(entry["arm"], "json"), as_json(failed))

    def skip_arm(self, entry: Mapping[str, Any], reason: str) -> None:
        """Note an arm that cannot run here, such as one whose extra is not installed."""
        skipped = {**entry, "status": "skipped", "error": reason}
        write_atomic(self.file_of(entry["arm"], "json"), as_json(skipped))

    def assemble(
        self, result: Mapping[str, Any], arms: Sequence[str], files: Mapping[str, str]
    ) -> dict[str, Any]:
        """Put the arms together: result.json, per_query.parquet, run.trec and the given files.

        Args:
            result: result.json without ``status`` and ``arms``.
            arms: every arm of the run, in the order of the leaderboard.
            files: name → content: env.json, report.json, qrels.trec.

        Returns:
            result.json; its status is ``failed_arms`` when an arm failed, else ``ok``.
        """
        entries = self.entries(arms)
        whole = [entry["arm"] for entry in entries if entry["status"] == "ok"]
        rows = [self.rows(arm) for arm in whole]
        frame = pl.concat(rows) if rows else pl.DataFrame(schema=PER_QUERY_SCHEMA)
        frame.write_parquet(self.partial / "per_query.parquet", compression="zstd")
        with (self.partial / "run.trec").open("w", encoding="utf-8") as run:
            run.writelines(self.file_of(arm, "trec").read_text("utf-8") for arm in whole)
        return self.conclude({**result, "arms": entries}, entries, files)

    def entries(self, arms: Sequence[str]) -> list[dict[str, Any]]:
        """What was kept of each of the arms, all of which have run."""
        return [json.loads(self.file_of(arm, "json").read_text()) for arm in arms]

    def rows(self, arm: str) -> pl.DataFrame:
        """The rows of a finished arm."""
        return pl.read_parquet(self.file_of(arm, "parquet"))

    def conclude(
        self, result: Mapping[str, Any], entries: Sequence[Mapping[str, Any]],
        files: Mapping[str, str],
    ) -> dict[str, Any]:  # fmt: skip
        """Write the given files and result.json, which gets its status from the entries."""
        failed = any(entry["status"] == "failed" for entry in entries)
        for name, content in files.items():
            write_atomic(self.partial / name, content)
        stored = {**result, "status": "failed_arms" if failed else "ok"}
        write_atomic(self.partial / "result.json", as_json(stored))
        return stored

    def publish(self) -> Path:
        """Rename the whole run to its name; a stored run with failed arms gives way to it."""
        status = json.loads((self.partial / "result.json").read_text())["status"]
        (self.partial / "lock").unlink(missing_ok=True)
        replaced = self.folder.with_name(self.folder.name + REPLACED)
        shutil.rmtree(replaced, ignore_errors=True)
        if self.folder.exists():
            self.folder.replace(replaced)
        self.partial.replace(self.folder)
        shutil.rmtree(replaced, ignore_errors=True)
        if status == "ok":
            shutil.rmtree(self.folder / "arms")  # per_query.parquet and run.trec hold the same
        return self.folder

    def _is_of_now(self, arm: str) -> bool:
        """Whether all of a finished arm is there, its rows with the columns of this version."""
        try:
            rows = pl.read_parquet(self.file_of(arm, "parquet"))
        except (OSError, pl.exceptions.PolarsError):  # cut off when the machine went down
            return False
        return rows.schema == pl.Schema(self.columns) and self.file_of(arm, "trec").is_file()

    def _arms(self) -> Path:
        return self.partial / "arms"

    def file_of(self, arm: str, ending: str) -> Path:
        """Where a file of an arm is kept until the run is whole."""
        return self._arms() / f"{quote(arm, safe='')}.{ending}"


def _entry_of(path: Path) -> dict[str, Any] | None:
    """The stored entry of an arm; None where the file is damaged."""
    try:
        entry = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    whole = isinstance(entry, dict) and {"arm", "status"} <= entry.keys()
    return entry if whole else None


def _lock(folder: Path) -> IO[str]:
    """Hold the folder for this process; the system lets go of it when the process ends."""
    file = (folder / "lock").open("w")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise ConfigError(
                "another process is writing this run", "Wait until it is done", folder
            ) from None
    return file
