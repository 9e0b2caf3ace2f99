"""The name of a run: a hash of what was asked."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_IN_ID = ("hydra", "paths", "runtime", "tracker")
"""Parts of a config that say where and on what a run happens, not what it finds."""
PLACES = ("path", "repo", "tracked_paths")
"""Keys of ``dataset`` that say where it lies; its hash says what it is."""


MAKE_NUMBERS = (
    "records", "telemetry", "corpora", "simulator", "worlds", "graph", "kernels", "recall",
    "evaluation", "experiment", "halflife", "layers", "memory", "lifecycles",
)  # fmt: skip
"""Rooms of the package whose code can move a number."""


@cache
def code_version() -> str:
    """Hash of the code that makes numbers: what other code has found is not this run.

    >>> len(code_version())
    12
    """
    package, digest = Path(__file__).resolve().parents[1], hashlib.sha256()
    for file in sorted(path for room in MAKE_NUMBERS for path in (package / room).rglob("*.py")):
        digest.update(f"{file.relative_to(package).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def run_id(config: Mapping[str, Any], dataset_sha256: str, code: str) -> str:
    """The name of a run: what was asked, of which data, of which code.

    ``sha256(json(config without hydra, paths, runtime, tracker) + dataset + code)[:12]``. Whole
    floats count as integers, so ``half_life=7`` and ``half_life=7.0`` are one run.

    Args:
        config: the resolved config as plain values.
        dataset_sha256: hash of the dataset's content.
        code: version of the code, ``code_version()``; a new one asks for new runs.

    >>> a = run_id({"half_life": 7, "runtime": {"device": "cpu"}}, "d", "1")
    >>> a == run_id({"half_life": 7.0, "runtime": {"device": "cuda"}}, "d", "1"), len(a)
    (True, 12)
    >>> a == run_id({"half_life": 8}, "d", "1")
    False
    """
    asked = {key: value for key, value in config.items() if key not in NOT_IN_ID}
    if isinstance(asked.get("dataset"), dict):
        asked["dataset"] = {k: v for k, v in asked["dataset"].items() if k not in PLACES}
    text = json.dumps([_canonical(asked), dataset_sha256, code], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, bool | int | float | str | None) else str(value)
