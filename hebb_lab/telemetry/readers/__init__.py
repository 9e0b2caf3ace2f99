"""One log format a file. Importing this folder registers every reader in it."""

from __future__ import annotations

import importlib
import pkgutil

from hebb_lab.telemetry.reader import READERS

__all__ = ["READERS"]

for _module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")
