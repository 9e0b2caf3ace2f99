"""Replay, spreading and selection. Nothing outside this folder knows which back end runs."""

import os
import tempfile
from pathlib import Path


def _keep_compiled_kernels_somewhere() -> None:
    """Where neither this folder nor the home folder can be written, numba refuses to cache."""
    places = (Path(__file__).parent, Path.home())
    if not any(os.access(place, os.W_OK) for place in places):
        folder = Path(tempfile.gettempdir()) / f"hebb_lab-kernels-{os.getuid()}"
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))


_keep_compiled_kernels_somewhere()
