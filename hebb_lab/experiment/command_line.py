"""The command line as people write it: paths with ~ and any sign, settings slightly mistyped."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from hebb_lab.experiment.settings import known_settings
from hebb_lab.places import place

_PATH = re.compile(
    r"(?P<key>\+{0,2}(?:dataset\.(?:path|repo|tracked_paths)|paths\.\w+))=(?P<value>.+)", re.DOTALL
)
_FITTED = re.compile(
    r"(?P<plus>\+{0,2})(?P<key>rules\.half_life|arms\.[^=]+\.rules\.half_life)=(?P<value>.*@.*)",
    re.DOTALL,
)
_SWEEP = re.compile(r"[,()\[\]{}]|^['\"]")


def with_plain_paths(argument: str) -> str:
    """An override of a path, quoted and with ~ put in; any other argument as it is.

    So is a reference to a half-life run, ``@PATH`` or ``@PATH#MODEL``; an arm that is given one is
    made where there is none of its name.

    A value that is quoted already, or that a sweep could mean (commas, brackets), is left alone,
    but for a ~ at its start.

    >>> with_plain_paths("dataset.path=my logs/a=b.jsonl")
    'dataset.path="my logs/a=b.jsonl"'
    >>> with_plain_paths("seed=3"), with_plain_paths("dataset.path=a,b")
    ('seed=3', 'dataset.path=a,b')
    >>> with_plain_paths("rules.half_life=@runs/halflife/0123#frailty")
    'rules.half_life="@runs/halflife/0123#frailty"'
    >>> with_plain_paths("arms.mine.rules.half_life=@my runs/0123")
    '++arms.mine.rules.half_life="@my runs/0123"'
    """
    fitted = _FITTED.fullmatch(argument)
    if fitted is not None:
        return _with_references(fitted["plus"], fitted["key"], fitted["value"])
    found = _PATH.fullmatch(argument)
    if found is None:
        return argument
    key, value = found["key"], found["value"]
    if value.startswith("~"):
        value = str(place(value))
    if value == "null" or _SWEEP.search(value):
        return f"{key}={value}"
    return f"{key}={_quoted(value)}"


def _with_references(plus: str, key: str, value: str) -> str:
    """References in quotes, each for itself where commas make a sweep of them."""
    if not re.search(r"[()\[\]{}]|^['\"]", value):
        each = [_quoted(part) if part.startswith("@") else part for part in value.split(",")]
        value = ",".join(each)
    return f"{'++' if key.startswith('arms.') else plus}{key}={value}"


def _quoted(value: str) -> str:
    """In quotes, where a backslash stands for itself, but before a quote."""
    escaped = re.sub(r'(\\*)("|$)', lambda m: m[1] * 2 + ('\\"' if m[2] else ""), value)
    return f'"{escaped}"'


def near_settings(arguments: Iterable[str]) -> list[str]:
    """A sentence for each override of a setting that does not exist and is near one that does.

    >>> near_settings(["+exp=ablation", "rules.learnig_rate=0.2", "seed=3"])
    ["There is no setting 'rules.learnig_rate': did you mean rules.learning_rate?"]
    """
    known, said = known_settings(), []
    for argument in arguments:
        key, equals, _ = argument.partition("=")
        if equals and re.fullmatch(r"[\w.]+", key) and key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            if near:
                said.append(f"There is no setting '{key}': did you mean {near[0]}?")
    return said
