"""The name of a run: a hash of what was asked."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_IN_ID = ("hydra", "paths", "runtime", "tracker")
"""Parts of a config that say where and on what a run happens, not what it finds."""
PLACES = ("path", "repo", "tracked_paths")
"""Keys of ``dataset`` that say where it lies; its hash says what it is."""


def run_id(config: Mapping[str, Any], dataset_sha256: str, rules_version: str) -> str:
    """The name of a run: what was asked, of which data, under which version of the rules.

    ``sha256(json(config without hydra, paths, runtime, tracker) + dataset + rules)[:12]``. Whole
    floats count as integers, so ``half_life=7`` and ``half_life=7.0`` are one run.

    Args:
        config: the resolved config as plain values.
        dataset_sha256: hash of the dataset's content.
        rules_version: version of the code's rules; a new one asks for new runs.

    >>> a = run_id({"half_life": 7, "runtime": {"device": "cpu"}}, "d", "1")
    >>> a == run_id({"half_life": 7.0, "runtime": {"device": "cuda"}}, "d", "1"), len(a)
    (True, 12)
    >>> a == run_id({"half_life": 8}, "d", "1")
    False
    """
    asked = {key: value for key, value in config.items() if key not in NOT_IN_ID}
    if isinstance(asked.get("dataset"), dict):
        asked["dataset"] = {k: v for k, v in asked["dataset"].items() if k not in PLACES}
    text = json.dumps([_canonical(asked), dataset_sha256, rules_version], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, bool | int | float | str | None) else str(value)
