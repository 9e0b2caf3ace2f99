"""A task: queries with their gold, collected and handed over in time order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.records import Qrels, Queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class TaskSettings:
    """Numbers of the protocol (evaluation.md)."""

    seeds: int = 3  # nodes in view
    seed_decay: float = 0.6  # energy of the i-th newest: this to the power i
    window_max: int = 30  # co-change: larger commits are not asked
    known_min: int = 2  # co-change: nodes seen before, at least
    known_max: int = 15  # co-change: and at most
    test_share: float = 1.0  # co-change: the last so many of all windows are asked
    blocks: int = 6  # time-ordered blocks of queries
    first_scored_block: int = 0  # 1 as soon as an arm is fitted: block 0 is then never scored

    def __post_init__(self) -> None:
        if self.seeds < 1 or self.blocks < 1 or not 0 < self.test_share <= 1:
            raise ConfigError(
                "evaluation.protocol: seeds and blocks must be positive, test_share in (0, 1]",
                "Mend the setting",
            )


@dataclass(frozen=True)
class Task:
    """Queries, their gold, and what was left out and why."""

    queries: Queries
    qrels: Qrels
    excluded: Mapping[str, int] = field(default_factory=dict)
    clusters: tuple[str, ...] = ()  # names: cluster id → session

    def head(self, count: int) -> Task:
        """The task with its first few queries only; the gold is not cut."""
        return replace(self, queries=first_queries(self.queries, count))

    def part(self, first: int, stop: int) -> Task:
        """The queries [first, stop) with their gold; the rest of the task as it is."""
        ptr = self.qrels.ptr[first : stop + 1]
        own = slice(ptr[0], ptr[-1])
        gold = replace(
            self.qrels, ptr=ptr - ptr[0], ids=self.qrels.ids[own], grades=self.qrels.grades[own]
        )
        return replace(self, queries=some_queries(self.queries, first, stop), qrels=gold)


class _Query(NamedTuple):
    time_us: int
    cluster: int
    seeds: Sequence[int]
    energies: Sequence[float]
    gold: Sequence[int]
    exclude: Sequence[int]
    row: int
    text: str
    grades: Sequence[int]
    name: str


@dataclass
class QuerySet:
    """Queries of one task on their way to becoming ``Queries`` and ``Qrels``."""

    task: str
    items: list[_Query] = field(default_factory=list)

    def add(
        self, time_us: int, cluster: int, seeds: Sequence[int], energies: Sequence[float], *,
        gold: Sequence[int], exclude: Sequence[int], row: int, text: str = "",
        grades: Sequence[int] | None = None, name: str = "",
    ) -> None:  # fmt: skip
        """One more query; gold nodes are of grade 1 where no grades are given.

        A query without a name gets that of its task and its place in time.
        """
        grades = [1] * len(gold) if grades is None else grades
        self.items.append(
            _Query(time_us, cluster, seeds, energies, gold, exclude, row, text, grades, name)
        )

    def finish(
        self, settings: TaskSettings, clusters: tuple[str, ...], excluded: Mapping[str, int]
    ) -> Task:
        """The task: queries by time (stable), cut into blocks, block 0 left out if asked."""
        items = sorted(self.items, key=lambda item: item.time_us)
        names = [item.name or f"{self.task}-{i:06d}" for i, item in enumerate(items)]
        block = np.arange(len(items)) * settings.blocks // max(len(items), 1)
        kept = [i for i in range(len(items)) if block[i] >= settings.first_scored_block]
        excluded = {reason: count for reason, count in excluded.items() if count}
        if len(kept) < len(items):
            excluded["queries of the first block"] = len(items) - len(kept)
        chosen = [items[i] for i in kept]
        queries = _queries(self.task, chosen, tuple(names[i] for i in kept), block[kept])
        gold_ptr, gold = _ragged([item.gold for item in chosen], np.int32)
        _, grades = _ragged([item.grades for item in chosen], np.int32)
        qrels = Qrels(gold_ptr, gold.astype(np.int32), grades.astype(np.int32))
        return Task(queries, qrels, excluded, clusters)


def _queries(
    task: str, items: Sequence[_Query], names: tuple[str, ...], block: NDArray[np.int64]
) -> Queries:
    seed_ptr, seeds = _ragged([item.seeds for item in items], np.int32)
    _, energies = _ragged([item.energies for item in items], np.float32)
    exclude_ptr, excluded = _ragged([item.exclude for item in items], np.int32)
    return Queries(
        task=task,
        query_ids=names,
        time_us=np.array([item.time_us for item in items], dtype=np.int64),
        cluster=np.array([item.cluster for item in items], dtype=np.int32),
        block=block.astype(np.int16),
        event_row=np.array([item.row for item in items], dtype=np.int64),
        seed_ptr=seed_ptr,
        seed_ids=seeds.astype(np.int32),
        seed_energy=energies.astype(np.float32),
        exclude_ptr=exclude_ptr,
        exclude_ids=excluded.astype(np.int32),
        texts=tuple(item.text for item in items),
    )


def _ragged(
    lists: Sequence[Iterable[int] | Iterable[float]], dtype: type
) -> tuple[NDArray[np.int64], NDArray[np.generic]]:
    """Lists as (offsets, flat values)."""
    rows: list[NDArray[np.generic]] = [np.asarray(list(values), dtype=dtype) for values in lists]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return offsets, np.concatenate(rows) if rows else np.zeros(0, dtype)


def first_queries(queries: Queries, count: int) -> Queries:
    """The first few queries, whole, with the seeds and exclusions that are theirs."""
    return some_queries(queries, 0, count)


def some_queries(queries: Queries, first: int, stop: int) -> Queries:
    """The queries [first, stop), whole, with the seeds and exclusions that are theirs."""
    own = slice(first, stop)
    seed_ptr = queries.seed_ptr[first : stop + 1]
    exclude_ptr = queries.exclude_ptr[first : stop + 1]
    seeds, excluded = slice(seed_ptr[0], seed_ptr[-1]), slice(exclude_ptr[0], exclude_ptr[-1])
    return replace(
        queries,
        query_ids=queries.query_ids[own],
        time_us=queries.time_us[own],
        cluster=queries.cluster[own],
        block=queries.block[own],
        event_row=queries.event_row[own],
        seed_ptr=seed_ptr - seed_ptr[0],
        seed_ids=queries.seed_ids[seeds],
        seed_energy=queries.seed_energy[seeds],
        exclude_ptr=exclude_ptr - exclude_ptr[0],
        exclude_ids=queries.exclude_ids[excluded],
        texts=queries.texts[own],
    )
