"""Insights from what users bring: a function of theirs, or a command that speaks JSON.

Both get one cluster at a time,

    {"entity": "ada", "memories": [{"content": "…", "context": {…}}, …]}

with the memory nearest to the cluster's centre first, and give a list of insights, alone or under
the key ``insights``:

    [{"text": "…", "confidence": 0.8, "sources": [0, 2], "tags": ["sailing"]}]

``text`` and ``confidence``, a number in [0, 1], are required: an insight without them is refused,
and `Reflected` says why. ``sources`` are places in ``memories``; without them all are meant.
``tags`` are texts; without them there are none. What a writer raises, a command
that fails, hangs or says no JSON fails its cluster alone.
"""

from __future__ import annotations

import importlib
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hebb_lab.errors import ConfigError
from hebb_lab.memory.reflection.insight import InsightWriter, Sources

TIMEOUT_S = 120.0


class WriterError(RuntimeError):
    """A command that gave no insights: what it did instead."""


def function_writer(name: str) -> InsightWriter:
    """A writer that asks a Python function, which gets and gives what JSON can say.

    Args:
        name: "module:function".

    Raises:
        ConfigError: there is no such function.
    """
    module, _, attribute = name.partition(":")
    try:
        function: Any = importlib.import_module(module)
        for part in attribute.split("."):
            function = getattr(function, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"the insight writer {name!r} cannot be found ({error})",
            "Name a function as module:function, in a module that Python can import",
        ) from error
    if not callable(function):
        raise ConfigError(f"the insight writer {name!r} is no function", "Name one")
    asked: Callable[[dict[str, Any]], Any] = function
    return lambda sources: _insights(asked(request(sources)))


def command_writer(command: Sequence[str], timeout_s: float = TIMEOUT_S) -> InsightWriter:
    """A writer that runs a command for each cluster: JSON on its input, JSON on its output.

    Args:
        command: the program and its arguments; no shell reads them.
        timeout_s: it is ended after so many seconds.

    Raises:
        ConfigError: no command, or a text instead of a list; no seconds above 0.
    """
    if isinstance(command, str) or not command or not all(isinstance(p, str) for p in command):
        raise ConfigError(f"{command!r} is no command", "Give a list: the program, its arguments")
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not timeout_s > 0:
        raise ConfigError(f"timeout_s={timeout_s!r} is no time", "Give seconds above 0")
    return lambda sources: _insights(_answer(list(command), request(sources), timeout_s))


def request(sources: Sources) -> dict[str, Any]:
    """A cluster as a writer outside gets it."""
    return {
        "entity": sources.entity,
        "memories": [
            {"content": content, "context": dict(context)}
            for content, context in zip(sources.contents, sources.contexts, strict=True)
        ],
    }


def _answer(command: list[str], asked: dict[str, Any], timeout_s: float) -> Any:
    try:
        done = subprocess.run(
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=timeout_s,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise WriterError(f"{command[0]} gave no answer in {timeout_s:g} s") from None
    except OSError as error:
        raise WriterError(f"{command[0]} cannot be run ({error.strerror})") from None
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise WriterError(f"{command[0]} ended with {done.returncode}" +
                          (f": {told[-1][:120]}" if told else ""))  # fmt: skip
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise WriterError(f"{command[0]} did not answer in JSON") from None


def _insights(answer: Any) -> Any:
    return answer["insights"] if isinstance(answer, Mapping) and "insights" in answer else answer
