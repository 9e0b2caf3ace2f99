"""The models of a half-life run as arms: each is judged, kept, and put into the run's folder."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hebb_lab.halflife.export import write_exports
from hebb_lab.halflife.model import MODELS
from hebb_lab.halflife.protocol import sample, store, survival
from hebb_lab.halflife.protocol.judge import NOT_HERE, Bench
from hebb_lab.halflife.protocol.plain import plain
from hebb_lab.halflife.protocol.said import failures, result_of
from hebb_lab.runs import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.halflife.protocol.splits import Split
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HalfLifeWork:
    """Models as arms: each is fitted and scored on all blocks, and kept.

    Args:
        bench: what they are judged on.
        splits: the blocks that are scored.
        models: names, in the order of tables.
        rules: all but the half-life.
        in_lines: whether each model that is done is a line of the log, where no bar shows it.
    """

    bench: Bench
    splits: Sequence[Split]
    models: tuple[str, ...]
    rules: SynapseRules
    in_lines: bool = True

    @property
    def columns(self) -> Mapping[str, Any]:
        """What a model keeps."""
        return store.COLUMNS

    def run(self, writer: RunWriter, progress: Callable[[str, int, int], None]) -> None:
        """Judge the models that are not finished yet.

        The solvers work on a handful of numbers at a time: more threads than one make them many
        times slower where the cores are busy, and never faster.
        """
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, "blas"):
            self._run(writer, progress)

    def _run(self, writer: RunWriter, progress: Callable[[str, int, int], None]) -> None:
        finished, steps = writer.finished_arms(), len(self.splits) + 1
        if finished:
            log.info("%d of %d models were finished before", len(finished), len(self.models))
        for number, name in enumerate(self.models):
            if name in finished:
                continue

            def tell(split: int, name: str = name, number: int = number) -> None:
                part = "the whole log" if split == steps - 1 else f"block {split + 1}"
                progress(f"{name} on {part}", number * steps + split, len(self.models) * steps)

            start = time.monotonic()
            self._keep(name, writer, tell)
            if self.in_lines:
                self._line(number, writer, time.monotonic() - start)
        progress("", len(self.models) * steps, len(self.models) * steps)
        for sentence in failures(writer.entries(self.models)):
            log.warning("%s", sentence)

    def _line(self, number: int, writer: RunWriter, seconds: float) -> None:
        """A model that is done, as a line of the log; what was skipped or failed has one."""
        name = self.models[number]
        (entry,) = writer.entries([name])
        if entry["status"] == "ok":
            fell = len(entry["fell_back"])
            log.info(
                "%s: %d blocks in %.1f s (%d of %d models)%s",
                name, len(self.splits), seconds, number + 1, len(self.models),
                f", fell back in {fell}" if fell else "",
            )  # fmt: skip

    def _keep(self, name: str, writer: RunWriter, tell: Callable[[int], None]) -> None:
        """Judge one model and keep it, or why there is nothing to keep."""
        model = MODELS[name]
        blank: dict[str, Any] = {
            "arm": name, "kind": model.kind, "about": model.about, "fell_back": [], "seconds": None,
            "hits": {}, "final": None, "half_lives": {}, "splits": [],
        }  # fmt: skip
        try:
            judged = self.bench.judge(name, tell)
        except NOT_HERE as reason:
            log.info("%s is skipped: %s", name, reason)
            writer.skip_arm(blank, str(reason))
            return
        except Exception as error:
            log.error("%s failed: %s: %s", name, type(error).__name__, error)
            writer.fail_arm(blank, error)
            return
        if judged.tracebacks:
            (writer.partial / "tracebacks").mkdir(exist_ok=True)
            write_atomic(writer.partial / "tracebacks" / f"{name}.txt", judged.tracebacks)
        if judged.edges is not None:
            judged.edges.write_parquet(writer.file_of(name, store.EDGES))
        writer.write_arm(judged.entry, store.kept(judged))

    def assemble(
        self, writer: RunWriter, result: Mapping[str, Any], files: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """cases.parquet, rows.parquet, curves.json, result.json, and what is exported."""
        bench = self.bench
        horizons = bench.settings.horizons
        frames = {
            store.CASES: sample.case_frame(bench.history, bench.blocks),
            store.ROWS: sample.row_frame(bench.history, bench.blocks, horizons),
        }
        curves = {
            "unit": bench.history.clock.unit,
            "times": list(bench.times),
            "spells": sum(len(block.spells.edge) for block in bench.blocks),
            "observed": plain(survival.observed(bench.history, self.splits)),
        }
        said = {**result, **result_of(bench, self.splits, self.rules)}
        stored = store.assemble(writer, self.models, frames, said, curves, files)
        write_exports(stored, writer.partial)
        return stored
