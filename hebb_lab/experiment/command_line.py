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
_SWEEP = re.compile(r"[,()\[\]{}]|^['\"]")


def with_plain_paths(argument: str) -> str:
    """An override of a path, quoted and with ~ put in; any other argument as it is.

    A value that is quoted already, or that a sweep could mean (commas, brackets), is left alone,
    but for a ~ at its start.

    >>> with_plain_paths("dataset.path=my logs/a=b.jsonl")
    'dataset.path="my logs/a=b.jsonl"'
    >>> with_plain_paths("seed=3"), with_plain_paths("dataset.path=a,b")
    ('seed=3', 'dataset.path=a,b')
    """
    found = _PATH.fullmatch(argument)
    if found is None:
        return argument
    key, value = found["key"], found["value"]
    if value.startswith("~"):
        value = str(place(value))
    if value == "null" or _SWEEP.search(value):
        return f"{key}={value}"
    # in quotes a backslash stands for itself, but before a quote
    escaped = re.sub(r'(\\*)("|$)', lambda m: m[1] * 2 + ('\\"' if m[2] else ""), value)
    return f'{key}="{escaped}"'


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
