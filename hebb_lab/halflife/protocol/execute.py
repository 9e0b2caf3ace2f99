"""A half-life experiment from settings to run folder."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.experiment import checks
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.model import MODELS
from hebb_lab.halflife.protocol import sample, store, survival
from hebb_lab.halflife.protocol.judge import NOT_HERE, Bench
from hebb_lab.halflife.protocol.plain import plain
from hebb_lab.halflife.protocol.settings import check, chosen_models
from hebb_lab.halflife.protocol.splits import blocks_of, splits_of, stride_of
from hebb_lab.runs import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.protocol.sample import Block
    from hebb_lab.halflife.protocol.splits import Split
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.kinds import Outcome, Work
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)


def execute_half_life(settings: Settings, config: Mapping[str, Any]) -> Outcome:
    """Run a half-life experiment, or find it finished.

    Raises:
        HebbLabError: what the user must mend, a log that nothing can be fitted to among it.
    """
    from hebb_lab.experiment.execute import conduct

    checks.check(settings, ())
    check(settings.halflife)
    models = chosen_models(settings.halflife)
    rules = SynapseRules.from_mapping(settings.rules)

    def begin(prepared: Prepared, backend: Backend) -> Work:
        return begun(prepared, backend, settings, models, rules)

    return conduct(settings, config, {**config, "models": models}, begin)


def begun(
    prepared: Prepared, backend: Backend, settings: Settings, models: Sequence[str],
    rules: SynapseRules,
) -> HalfLifeWork:  # fmt: skip
    """The experiment on a prepared dataset: history, blocks, and what is scored.

    Raises:
        InputError: a log too short, or without a re-activation.
    """
    from hebb_lab.graph.temporal import co_activation_graph

    asked = settings.halflife
    graph = co_activation_graph(prepared.windows, settings.dataset.windows.teach_max)
    history = history_of(
        graph, rules, backend, clock=asked.clock, activity=asked.activity, group_by=asked.group_by,
        burn_in_days=asked.burn_in_days, session_us=_session_starts(prepared),
        forecast_days=asked.forecast_days, truth=prepared.dataset.edges,
    )  # fmt: skip
    splits = splits_of(history, asked.blocks)
    _reactivated(history, splits, prepared.dataset.name)
    stride = stride_of(history, asked.stride_days)
    blocks = sample.draw(history, splits, asked, stride, settings.seed)
    times = survival.times_of(history, splits)
    bench = Bench(history, blocks, asked, stride, times, settings.seed)
    return HalfLifeWork(bench, splits, tuple(models), rules)


def _session_starts(prepared: Prepared) -> Any:
    """[S] µs, the first window of each session."""
    windows = prepared.windows
    starts = np.full(len(windows.sessions), np.iinfo(np.int64).max)
    np.minimum.at(starts, windows.session, windows.time_us)
    return starts[np.unique(windows.session)]


def _reactivated(history: History, splits: Sequence[Split], name: str) -> None:
    """Refuse a log on which no model could be told from another."""
    seen = len(history.reactivations(0, splits[0].first))
    scored = len(history.reactivations(splits[0].first, splits[-1].until))
    if seen + scored == 0:
        raise InputError(
            f"no re-activation: none of {history.edges:,} pairs is active together twice, so"
            " nothing can be fitted",
            "Give a longer log, or wider windows with dataset.windows.by=session",
            name,
        )
    if scored == 0:
        raise InputError(
            f"no re-activation in the blocks that are scored: all {seen:,} are in the first of"
            f" {len(splits) + 1} blocks",
            "Give a longer log, or more halflife.blocks",
            name,
        )


@dataclass(frozen=True)
class HalfLifeWork:
    """Models as arms: each is fitted and scored on all blocks, and kept.

    Args:
        bench: what they are judged on.
        splits: the blocks that are scored.
        models: names, in the order of tables.
        rules: all but the half-life.
    """

    bench: Bench
    splits: Sequence[Split]
    models: tuple[str, ...]
    rules: SynapseRules

    @property
    def columns(self) -> Mapping[str, Any]:
        """What a model keeps."""
        return store.COLUMNS

    def run(self, writer: RunWriter, progress: Callable[[str, int, int], None]) -> None:
        """Judge the models that are not finished yet."""
        finished, steps = writer.finished_arms(), len(self.splits) + 1
        if finished:
            log.info("%d of %d models were finished before", len(finished), len(self.models))
        for number, name in enumerate(self.models):
            if name in finished:
                continue

            def tell(split: int, name: str = name, number: int = number) -> None:
                part = "the whole log" if split == steps - 1 else f"block {split + 1}"
                progress(f"{name} on {part}", number * steps + split, len(self.models) * steps)

            self._keep(name, writer, tell)
        progress("", len(self.models) * steps, len(self.models) * steps)

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
        said = {**result, **self.said}
        return store.assemble(writer, self.models, frames, said, curves, files)

    @cached_property
    def said(self) -> dict[str, Any]:
        """What was asked and of what, for result.json."""
        bench, history = self.bench, self.bench.history
        asked = asdict(bench.settings)
        return {
            "settings": {**plain(asked), "stride_days": bench.stride},
            "rules": plain(asdict(self.rules)),
            "unit": history.clock.unit,
            "horizons": [float(days) for days in bench.settings.horizons],
            "blocks": blocks_of(history, list(self.splits)),
            "groups": _groups(history),
            "pairs": history.edges,
            "recalls": history.recalls,
            "reactivations": len(history.reactivations(0, history.recalls)),
            "scored": _scored(bench.blocks, bench.settings.horizons),
        }


def _groups(history: History) -> dict[str, dict[str, int]]:
    """Pairs and re-activations of each group."""
    events = history.group[history.edge_of[history.reactivations(0, history.recalls)]]
    counts = np.bincount(events, minlength=len(history.groups)).tolist()
    pairs = np.bincount(history.group, minlength=len(history.groups)).tolist()
    return {
        name: {"pairs": pairs[i], "reactivations": counts[i]}
        for i, name in enumerate(history.groups)
    }


def _scored(blocks: Sequence[Block], horizons: Sequence[float]) -> dict[str, Any]:
    """How much is scored, and what was thinned out of it."""
    rows = [
        {
            "horizon": float(days),
            "rows": sum(len(block.rows[place].checkpoint) for block in blocks),
            "again": sum(int(block.rows[place].again.sum()) for block in blocks),
            "thinned_out": sum(block.rows[place].left_out for block in blocks),
        }
        for place, days in enumerate(horizons)
    ]
    return {
        "cases": sum(len(block.cases.event) for block in blocks),
        "cases_thinned_out": sum(block.cases.left_out for block in blocks),
        "rows": rows,
    }
