"""What a store takes in, in one place: each thing is kept, or refused by a stated rule.

Texts are kept byte for byte: nothing is trimmed, folded or brought into a normal form of Unicode,
so two spellings of one name are two entities.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import MS_MOST
from hebb_lab.memory.values import EdgeKind, Kind, Link

CONTENT_BYTES = 65_536
CONTEXT_BYTES = 16_384
ENTITY_BYTES = 512
PRIME_MOST = 200  # memories of one priming
LATEST_US = MS_MOST * 1000
_SHOWN = 3  # problems that an error of a batch names
_KINDS = frozenset(map(int, Kind))
_EDGE_KINDS = frozenset(map(int, EdgeKind))


class Problem(NamedTuple):
    """Why something is refused, and what to do; none of it quotes a text."""

    problem: str
    cure: str


def raised(problem: Problem, where: str = "") -> InputError:
    """A problem as an error."""
    return InputError(f"{where}{problem.problem}", problem.cure)


def raised_for_batch(found: Mapping[int, Problem], count: int, beside: str = "") -> InputError:
    """The problems of a batch as an error that names the first few, with one more cure."""
    if count == 1:
        return raised(next(iter(found.values())))
    first = [f"memory {place}: {found[place].problem}" for place in sorted(found)[:_SHOWN]]
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    cures = list(dict.fromkeys(found[place].cure for place in sorted(found)[:_SHOWN]))
    return InputError(
        f"{len(found)} of {count} memories are refused and nothing was kept:"
        f" {'; '.join(first)}{more}",
        "; ".join([*cures, *([beside] if beside else [])]),
    )


def content_problem(content: Any) -> Problem | None:
    """1 to 65,536 bytes of UTF-8, without lone surrogates."""
    if not isinstance(content, str):
        return Problem(f"content is no text but {type(content).__name__}", "Give a text")
    if not content:
        return Problem("content is empty", "Give at least one character")
    try:
        size = len(content.encode())
    except UnicodeEncodeError:
        return Problem("content has lone surrogates", "Give text that UTF-8 can hold")
    if size > CONTENT_BYTES:
        return Problem(
            f"content has {size} bytes of UTF-8, more than {CONTENT_BYTES}", "Give a shorter text"
        )
    return None


def written_context(context: Any) -> str | Problem:
    """A context as JSON with sorted keys, at most 16,384 bytes; or why it cannot be kept.

    Keys are texts, on every level; NaN and infinities are no JSON. Tuples become lists.

    >>> written_context({"b": [1], "a": None})
    '{"a":null,"b":[1]}'
    """
    if not isinstance(context, Mapping):
        return Problem(f"context is no mapping but {type(context).__name__}", "Give a mapping")
    if not context:
        return "{}"
    try:
        if not _keys_are_texts(context):
            return Problem("context has a key that is no text", "Give texts as keys")
        text = json_of(context)
        size = len(text.encode())
    except UnicodeEncodeError:
        return Problem("context has lone surrogates", "Give text that UTF-8 can hold")
    except RecursionError:
        return Problem("context is nested too deep or holds itself", "Give a flatter context")
    except (TypeError, ValueError) as error:
        reason = "holds NaN or an infinity" if "Out of range" in str(error) else "is no JSON"
        return Problem(f"context {reason}", "Give texts, finite numbers, flags, lists, mappings")
    if size > CONTEXT_BYTES:
        return Problem(
            f"context has {size} bytes as JSON, more than {CONTEXT_BYTES}", "Give a smaller context"
        )
    return text


def json_of(context: Mapping[str, Any]) -> str:
    """A context as a journal keeps it: JSON with sorted keys and no blanks."""
    return json.dumps(
        dict(context), allow_nan=False, ensure_ascii=False, separators=(",", ":"), sort_keys=True
    )


def _keys_are_texts(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _keys_are_texts(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(_keys_are_texts(item) for item in value)
    return True


def entity_problem(entity: Any) -> Problem | None:
    """None, or 1 to 512 bytes of UTF-8 without control characters; kept byte for byte."""
    if entity is None:
        return None
    if not isinstance(entity, str):
        return Problem(f"entity_id is no text but {type(entity).__name__}", "Give a text or None")
    if not entity:
        return Problem("entity_id is empty", "Give None for a memory without an entity")
    if not entity.isprintable() and any(ord(c) < 32 or 127 <= ord(c) < 160 for c in entity):
        return Problem("entity_id has control characters", "Give a name without them")
    try:
        size = len(entity.encode())
    except UnicodeEncodeError:
        return Problem("entity_id has lone surrogates", "Give text that UTF-8 can hold")
    if size > ENTITY_BYTES:
        return Problem(
            f"entity_id has {size} bytes, more than {ENTITY_BYTES}", "Give a shorter name"
        )
    return None


def share_problem(value: Any, name: str) -> Problem | None:
    """A number in [0, 1]: an importance or a confidence."""
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        return Problem(f"{name} is no number but {type(value).__name__}", "Give 0 to 1")
    if not 0 <= value <= 1:
        return Problem(f"{name} {value} is not in [0, 1]", "Give 0 to 1")
    return None


def kind_problem(value: Any) -> Problem | None:
    """1 to 3, as in Kind."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value not in _KINDS:
        return Problem(f"kind {value!r} is none of 1 to 3", "Give a Kind")
    return None


def listed(values: Any, name: str, cure: str) -> list[Any]:
    """Values as a list; a bare text, a mapping and what is no series are an InputError."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{name} are no list but {type(values).__name__}", cure)
    return list(values)


def check_scope(kinds: Any, since_us: Any, until_us: Any) -> None:
    """Kinds of memories, and times in [since, until), each of them or None.

    Raises:
        InputError: a kind that there is not, a time that is none, a range that is empty.
    """
    if not all(kind_problem(kind) is None for kind in listed(kinds, "kinds", "Give Kinds")):
        raise InputError(f"kinds {kinds!r} are not all kinds of memories", "Give Kinds")
    for time in (since_us, until_us):
        if time is not None and time != LATEST_US + 1:  # excluded: just after the latest
            checked_time(time, -1, "keep")
    if since_us is not None and until_us is not None and until_us <= since_us:
        raise InputError(
            f"nothing lies from {since_us} to before {until_us} µs", "Give until_us after since_us"
        )


def link_problem(link: Any, place: int, count: int) -> Problem | None:
    """A kind of EdgeKind, a confidence in [0, 1], a target that is an id or another's place.

    Args:
        link: of the memory at a place.
        place: of the memory.
        count: memories that come with it.
    """
    if not isinstance(link, Link):
        return Problem(f"a link is no Link but {type(link).__name__}", "Give Link(kind, target)")
    if isinstance(link.kind, bool) or link.kind not in _EDGE_KINDS:
        return Problem(f"the kind {link.kind!r} of an edge is none of 1 to 5", "Give an EdgeKind")
    if problem := share_problem(link.confidence, "confidence"):
        return problem
    if isinstance(link.target, str):
        return None
    if isinstance(link.target, bool) or not isinstance(link.target, int | np.integer):
        return Problem("the target of an edge is neither id nor place", "Give an id or a place")
    if link.target == place:
        return Problem("an edge leads from the memory to itself", "Give another target")
    if not 0 <= link.target < count:
        return Problem(
            f"an edge leads to place {link.target} of {count} memories", "Give a place from 0 up"
        )
    return None


def checked_time(at_us: Any, clock_us: int, clock_back: str) -> int:
    """The time of an operation that writes, µs since 1970.

    Args:
        at_us: given.
        clock_us: of the store's last change; the same microsecond is kept.
        clock_back: ``rules.clock_back``.

    Raises:
        InputError: a flag, a fraction, a time before 1970 or after the year 10889, a time before
            the store's clock under clock_back=refuse.
    """
    if isinstance(at_us, bool | np.bool_):
        raise InputError(f"the time {at_us!r} is no number of µs", "Give µs since 1970, whole")
    try:
        time = operator.index(at_us)
    except TypeError:
        raise InputError(
            f"the time is no whole number but {type(at_us).__name__}", "Give µs since 1970, whole"
        ) from None
    if not 0 <= time <= LATEST_US:
        raise InputError(f"the time {time} µs lies outside 1970 to 10889", "Give µs since 1970")
    if time < clock_us and clock_back == "refuse":
        raise InputError(
            f"the clock goes back from {clock_us} to {time} µs",
            "Give a later time, or set rules.clock_back=keep",
        )
    return time


def checked_most(value: Any, name: str) -> int:
    """How many at most, from 1 up.

    Raises:
        InputError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name}={value!r} is no number from 1 up", "Give such a number")
    return int(value)
