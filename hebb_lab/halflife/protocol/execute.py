"""A half-life experiment from settings to run folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.experiment import checks
from hebb_lab.experiment.progress import Progress
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.protocol import sample, survival
from hebb_lab.halflife.protocol.judge import Bench
from hebb_lab.halflife.protocol.settings import check, chosen_models
from hebb_lab.halflife.protocol.splits import splits_of, stride_of
from hebb_lab.halflife.protocol.work import HalfLifeWork

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.halflife.facts.history import History
    from hebb_lab.halflife.protocol.splits import Split
    from hebb_lab.kernels.backend import Backend
    from hebb_lab.kinds import Outcome, Work


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
    in_lines = not Progress(settings.runtime.progress).wanted
    return HalfLifeWork(bench, splits, tuple(models), rules, in_lines)


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
