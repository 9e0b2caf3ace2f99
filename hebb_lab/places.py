"""Paths as people write them."""

from __future__ import annotations

import os
from pathlib import Path


def place(path: str | Path) -> Path:
    """The path with ~ put in. A ~ of nobody stays as it is, and is missing under its own name.

    >>> place("~nobody_has_this_name/logs").as_posix()
    '~nobody_has_this_name/logs'
    """
    return Path(os.path.expanduser(path))  # noqa: PTH111 (pathlib raises for a ~ of nobody)
