"""Whether cues are what `Cues` says: each column one value for each question, of its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.limits import Problem, check_scope, entity_problem, listed, raised
from hebb_lab.memory.values import Cues

_ONE_FOR_EACH = "Give a list, one for each question"


def strategy_names(strategies: str | Sequence[str]) -> tuple[str, ...]:
    """The strategies that are asked.

    Raises:
        InputError: none, one that comes twice, something that is no name.
    """
    names = [strategies] if isinstance(strategies, str) else listed(
        strategies, "strategies", "Give a list of names"
    )  # fmt: skip
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"strategies are {names}", "Name at least one, as text")
    if len(set(names)) < len(names):
        raise InputError(f"strategies are {names}", "Name each once")
    return tuple(names)


def check_shapes(cues: Cues) -> None:
    """Refuse cues that would find nothing, or something else, because of what they are.

    Seeds that are no ids, or ids of no memory, are no error here: causal recall returns a
    `Failure` of each.

    Args:
        cues: the questions.

    Raises:
        InputError: it names the column and the place; see `Cues` for what each column holds.
    """
    count = _count(cues)
    for name, problem in _PROBLEMS.items():
        column = getattr(cues, name)
        if column is None or (name == "entities" and isinstance(column, str)):
            continue
        values = listed(column, name, _ONE_FOR_EACH)
        if len(values) != count and (values or name != "texts"):
            raise InputError(f"{len(values)} {name} stand beside {count} questions", _ONE_FOR_EACH)
        for place, value in enumerate(values):
            if found := problem(value):
                raise raised(found, f"cue {place}: ")
    if isinstance(cues.entities, str) and (found := entity_problem(cues.entities)):
        raise raised(found, "cues: ")
    check_scope(cues.kinds, cues.since_us, cues.until_us)


def _count(cues: Cues) -> int:
    if cues.vectors is None:
        return len(listed(cues.texts, "texts", _ONE_FOR_EACH))
    try:
        vectors = np.asarray(cues.vectors, np.float32)
    except (TypeError, ValueError):
        raise InputError("vectors of cues are no numbers", "Give [Q, d] numbers") from None
    if vectors.ndim != 2:
        raise InputError(f"vectors of cues are {list(vectors.shape)}", "Give [Q, d] numbers")
    return len(vectors)


def _text_problem(value: Any) -> Problem | None:
    if isinstance(value, str):
        return None
    return Problem(f"its text is no text but {type(value).__name__}", "Give a text")


def _context_problem(value: Any) -> Problem | None:
    if isinstance(value, Mapping):
        return None
    return Problem(
        f"its context is no mapping but {type(value).__name__}", "Give a mapping, {} for none"
    )


def _seed_problem(value: Any) -> Problem | None:
    if value is None or isinstance(value, str):
        return None
    return Problem(f"its seed is no id but {type(value).__name__}", "Give an id as text, or None")


def _pair_problem(value: Any) -> Problem | None:
    if value is None:
        return None
    if isinstance(value, tuple | list) and [isinstance(one, str) for one in value] == [True] * 2:
        return None
    return Problem(f"its pair {value!r:.40} is not two ids", "Give (A, B), or None")


_PROBLEMS: dict[str, Callable[[Any], Problem | None]] = {
    "texts": _text_problem, "entities": entity_problem, "contexts": _context_problem,
    "seeds": _seed_problem, "pairs": _pair_problem,
}  # fmt: skip
