"""What a run on the lives of memories found, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.pages.families import SAID
from hebb_lab.pages.text import count, share, signed, size, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from hebb_lab.lifecycles.report.findings import Compared, Findings

NAMED = 8
"""Arms that a sentence names; of more it says how many there are."""


def answers(found: Findings, of: str) -> list[str]:
    """Sentences on one task of the data: the base over days, each family, its best arm."""
    return [
        *_base(found, of),
        *(sentence for table in found.tables_of(of) for sentence in _family(found, table)),
    ]


def days_of(days: float) -> str:
    """A number of days with its unit.

    >>> days_of(1.0), days_of(100), days_of(0.5)
    ('1 day', '100 days', '0.5 days')
    """
    return f"{days:g} day{'' if days == 1 else 's'}"


def _base(found: Findings, of: str) -> Iterator[str]:
    """The base at each sitting."""
    base = str(found.stored.run.base)
    told = [
        f"{value(found.value(name, of, base))} after {days_of(found.days(name))}"
        for name in found.stored.sittings()[of]
    ]
    yield f"{base}, {found.metric(of)}: {', '.join(told)} of silence."


def _family(found: Findings, table: Compared) -> Iterator[str]:
    """Which arms of a table help, harm and change nothing, at the first and the last sitting."""
    sittings = list(dict.fromkeys([*list(table.standings)[:1], *list(table.standings)[-1:]]))
    for name in sittings:
        parts = [
            f"{SAID[verdict]}: {_arms(found, table, name, verdict)}"
            for verdict in ("better", "worse", "not shown", "no change")
            if any(s.verdict == verdict for s in table.standings[name].values())
        ]
        if parts:
            yield f"{table.title}, after {days_of(found.days(name))}: {'; '.join(parts)}."


def _arms(found: Findings, table: Compared, sitting: str, verdict: str) -> str:
    """The arms of a verdict with their differences, the largest first."""
    there = [(arm, s) for arm, s in table.standings[sitting].items() if s.verdict == verdict]
    if verdict == "no change":
        names = [arm for arm, _ in there]
    else:
        there.sort(key=lambda pair: -abs(pair[1].value or 0.0))
        names = [f"{arm} {signed(s.value)}{_to(found, arm)}" for arm, s in there]
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _to(found: Findings, arm: str) -> str:
    """The base of an arm, where it is not the run's."""
    base = found.stored.entry(arm).get("base")
    return "" if base == found.stored.run.base else f" (to {base})"


def kept_sentences(curves: Sequence[Mapping[str, Any]], life: str) -> Iterator[str]:
    """What the base's life keeps at 30, 100 and 365 days, for each half-life.

    Args:
        curves: as retention.json has them.
        life: the base's.
    """
    for curve in curves:
        if curve["life"] != life:
            continue
        for number, half_life in enumerate(curve["half_lives"]):
            told = []
            for day in (30, 100, 365):
                if day < len(curve["days"]):
                    needed = curve["kept_needed"]
                    also = "" if needed is None else f" ({share(needed[number][day], 1)} of needed)"
                    told.append(f"{share(curve['kept'][number][day], 1)}{also} after {day} days")
            if told:
                yield f"Half-life {half_life:g} days keeps {', '.join(told)}."


def growth_sentences(growth: Mapping[str, Any]) -> Iterator[str]:
    """Bytes a memory, and what revising and forgetting does to the file."""
    sizes: Sequence[Mapping[str, Any]] = growth.get("sizes") or ()
    written = [each for each in sizes if not each["event"]]
    if not written:
        return
    last = written[-1]
    yield (
        f"{count(last['memories'])} memories with vectors of {growth['dimensions']} are"
        f" {size(last['bytes'])} on the disk, {last['bytes'] / max(last['memories'], 1):,.0f} bytes"
        f" each ({growth['content_bytes'] / max(growth['memories'], 1):,.0f} of them text)."
    )
    for each in sizes:
        if each["event"]:
            yield (
                f"{each['event']}: {size(each['bytes'])} with {count(each['memories'])} memories."
            )
