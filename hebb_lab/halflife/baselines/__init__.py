"""What every half-life model has to beat, one file each; importing the folder registers them."""

from __future__ import annotations

import importlib
import pkgutil

for _found in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_found}")
