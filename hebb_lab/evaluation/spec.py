"""A measure as a value that prints and parses back: ``nDCG@10``, ``R(rel=2)@5``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.records import Judgements
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

Scores = Callable[..., "NDArray[np.float64]"]
_SPELLING = re.compile(r"(?P<name>\w+)(?:\((?P<options>[^()]*)\))?(?:@(?P<cutoff>\d+))?")


@dataclass(frozen=True)
class Definition:
    """What the registry knows of a measure.

    Args:
        compute: function of (judgements, cutoff, **options) → [Q].
        cutoff: whether the name must, may or cannot end in ``@k``.
        choices: option → the values it may have, the default first.
        binary: whether ``rel=g`` (relevant means a grade of at least g) applies.
    """

    compute: Scores
    cutoff: Literal["required", "optional", "none"]
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    binary: bool = True


MEASURES: Registry[Definition] = Registry("measure")


@dataclass(frozen=True)
class Measure:
    """A measure with its cut-off and options; call it with judgements to get [Q] scores.

    >>> from hebb_lab.evaluation.judge import judgements_from_ranks
    >>> str(Measure("R", 10)), Measure("R", 2)(judgements_from_ranks([[1, 4]])).tolist()
    ('R@10', [0.5])
    """

    name: str
    cutoff: int | None = None
    options: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        inside = ",".join(f"{key}={value}" for key, value in self.options)
        return (
            self.name
            + (f"({inside})" if inside else "")
            + ("" if self.cutoff is None else f"@{self.cutoff}")
        )

    def __call__(self, judgements: Judgements) -> NDArray[np.float64]:
        """Score every query, [Q]."""
        options = dict(self.options)
        least = int(options.pop("rel", 1))
        seen = judgements if least == 1 else at_least(judgements, least)
        return MEASURES[self.name].compute(seen, self.cutoff, **options)


def parse(text: str) -> Measure:
    """Read a measure from its name; ``str`` gives the name back (defaults are left out).

    Raises:
        ConfigError: for an unknown name, a cut-off that is missing, superfluous or 0, or an
            option that the measure does not have; the message quotes what was written.

    >>> parse("nDCG(gain=exp)@10")
    Measure(name='nDCG', cutoff=10, options=(('gain', 'exp'),))
    >>> parse("P")
    Traceback (most recent call last):
    ...
    hebb_lab.errors.ConfigError: measure 'P' has no cut-off. Write it as P@10.
    """
    match = _SPELLING.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"'{text}' is not a measure", "Write one like nDCG@10 or AP(rel=2)")
    name = match["name"]
    definition = MEASURES[name]
    cutoff = int(match["cutoff"]) if match["cutoff"] else None
    if cutoff is None and definition.cutoff == "required":
        raise ConfigError(f"measure '{text}' has no cut-off", f"Write it as {name}@10")
    if cutoff is not None and definition.cutoff == "none":
        raise ConfigError(f"measure '{text}' takes no cut-off", f"Write it as {name}")
    if cutoff == 0:
        raise ConfigError(f"measure '{text}' cuts at 0", "Cut at 1 or more")
    return Measure(name, cutoff, _options(text, definition, match["options"] or ""))


def _options(text: str, definition: Definition, inside: str) -> tuple[tuple[str, str | int], ...]:
    """The options in brackets, sorted, without those that are at their default."""
    found: dict[str, str | int] = {}
    for item in filter(None, (part.strip() for part in inside.split(","))):
        key, _, value = item.partition("=")
        allowed = definition.choices.get(key, ())
        if key == "rel" and definition.binary and value.isdecimal() and int(value) >= 1:
            found[key] = int(value)
        elif value in allowed:
            found[key] = value
        else:
            known = [f"{name}={'|'.join(values)}" for name, values in definition.choices.items()]
            known += ["rel=GRADE"] if definition.binary else []
            raise ConfigError(f"measure '{text}' has no option '{item}'", f"Use {known}")
    defaults = {name: values[0] for name, values in definition.choices.items()} | {"rel": 1}
    return tuple((key, found[key]) for key in sorted(found) if found[key] != defaults[key])


def measure(
    name: str,
    cutoff: Literal["required", "optional", "none"],
    choices: Mapping[str, tuple[str, ...]] | None = None,
    binary: bool = True,
) -> Callable[[Scores], Scores]:
    """Register the decorated function (judgements, cutoff, **options) → [Q] under a name."""

    def keep(compute: Scores) -> Scores:
        MEASURES.register(name)(Definition(compute, cutoff, choices or {}, binary))
        return compute

    return keep


def at_least(judgements: Judgements, grade: int) -> Judgements:
    """The same judgements with only those nodes relevant whose grade is at least ``grade``."""
    kept = judgements.grades >= grade
    before: NDArray[np.int64] = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return replace(
        judgements,
        ptr=before[judgements.ptr],
        ranks=judgements.ranks[kept],
        grades=judgements.grades[kept],
        tokens=judgements.tokens[kept],
        optimistic=judgements.optimistic[kept],
        pessimistic=judgements.pessimistic[kept],
    )
