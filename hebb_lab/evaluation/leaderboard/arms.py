"""One arm on one task, over one data set or several: what was asked of it and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from hebb_lab.errors import ConfigError

if TYPE_CHECKING:
    from hebb_lab.evaluation.leaderboard.board import Source

T = TypeVar("T")


@dataclass(frozen=True)
class Arm:
    """An arm on one task.

    Args:
        name: of the arm.
        base: the arm it is compared with; None for none.
        status: ok, failed or skipped.
        error: why it is not ok.
        ms_per_query: time.
        config_id: hash of its config.
        group: what kind of change it is.
        rankings: hash of its ranking per data set; None where unknown.
        bytes_per_memory: bytes of all that it reads, over the number of nodes.
        fitted: the model, the run and the half-lives that it has from there; None for its own.
        unidentified: of these, half-lives that the fitted log does not tell, with why.
    """

    name: str
    base: str | None
    status: str
    error: str | None
    ms_per_query: float | None
    config_id: str | None
    group: str | None
    rankings: tuple[str | None, ...] = field(default=(None,))
    bytes_per_memory: float | None = None
    fitted: str | None = None
    unidentified: tuple[str, ...] = ()

    def inert(self, arms: Mapping[str, Arm]) -> bool:
        """Whether it ranked everything exactly as its base did."""
        base = arms.get(self.base or "")
        if base is None or self.status != "ok" or base.status != "ok":
            return False
        return None not in self.rankings and self.rankings == base.rankings


def arms_of(source: Source, task: str) -> dict[str, Arm]:
    """The arms that a source describes for a task, by name, in their order.

    Raises:
        ConfigError: when two arms have one name, or a base is not among the arms.
    """
    asked = [d for d in source.arms if d.get("tasks") is None or task in d["tasks"]]
    arms = {d["arm"]: _arm(d, task) for d in asked}
    if len(arms) < len(asked):
        raise ConfigError("two arms have the same name", "Give every arm a name of its own")
    for arm in arms.values():
        if arm.base is not None and arm.base not in arms:
            raise ConfigError(
                f"arm '{arm.name}' of task '{task}' is compared with '{arm.base}', which is no arm",
                f"Known: {', '.join(arms)}",
            )
    return arms


def _arm(entry: Mapping[str, Any], task: str) -> Arm:
    """One description; an arm that names itself as its base has none."""
    base = entry.get("base")
    return Arm(
        name=entry["arm"],
        base=None if base == entry["arm"] else base,
        status=entry.get("status", "ok"),
        error=entry.get("error"),
        ms_per_query=_of_task(entry.get("ms_per_query"), task),
        config_id=entry.get("config_id"),
        group=entry.get("group"),
        rankings=(_of_task(entry.get("rankings") or entry.get("ranking_sha256"), task),),
        bytes_per_memory=entry.get("bytes_per_memory"),
        fitted=entry.get("fitted"),
        unidentified=tuple(entry.get("unidentified") or ()),
    )


def _of_task(value: Any, task: str) -> Any:
    """The value of a task, from one value for all or a mapping from tasks."""
    return value.get(task) if isinstance(value, Mapping) else value


def over_data_sets(parts: Sequence[tuple[str, Mapping[str, Arm]]]) -> dict[str, Arm]:
    """The arms over several data sets: an arm is ok only where it is ok in all of them.

    Args:
        parts: (name of the data set, its arms) each.
    """
    names = dict.fromkeys(name for _, arms in parts for name in arms)
    return {name: _over(name, [(where, arms.get(name)) for where, arms in parts]) for name in names}


def _over(name: str, found: Sequence[tuple[str, Arm | None]]) -> Arm:
    """One arm over several data sets."""
    there = [arm for _, arm in found if arm is not None]
    if len({arm.base for arm in there}) > 1:
        raise ConfigError(f"arm '{name}' has different bases", "Compare it with one everywhere")
    bad = [(where, arm) for where, arm in found if arm is None or arm.status != "ok"]
    status = "failed" if any(arm and arm.status == "failed" for _, arm in bad) else "skipped"
    whole = replace(
        there[0],
        ms_per_query=_mean([arm.ms_per_query for arm in there], len(found)),
        bytes_per_memory=_mean([arm.bytes_per_memory for arm in there], len(found)),
        config_id=same([arm.config_id for arm in there]),
        rankings=tuple(arm.rankings[0] for arm in there),
        fitted=same([arm.fitted for arm in there]),
        unidentified=tuple(dict.fromkeys(said for arm in there for said in arm.unidentified)),
    )
    if not bad:
        return whole
    return replace(whole, status=status, error="no result on " + ", ".join(w for w, _ in bad))


def _mean(values: Sequence[float | None], data_sets: int) -> float | None:
    """The mean over so many data sets; None where one of them lacks the value."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == data_sets else None


def same(values: Sequence[T]) -> T | None:
    """The value that all have; None when they differ.

    >>> same(["a", "a"]), same(["a", "b"])
    ('a', None)
    """
    return values[0] if len(set(values)) == 1 else None
