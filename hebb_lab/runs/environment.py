"""What a run ran on: the facts of env.json, none of which may change a result."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGES = (
    "hebb_lab", "torch", "torch-geometric", "numpy", "scipy", "polars", "numba", "bm25s",
    "scikit-learn", "statsmodels", "faiss-cpu", "faiss-gpu", "cupy-cuda12x", "cupy-cuda13x",
    "hydra-core", "omegaconf", "matplotlib",
)  # fmt: skip


def commit(checkout: Path | None = None) -> tuple[str | None, bool]:
    """The commit of the code, and whether tracked files differ from it.

    Args:
        checkout: folder of the code; the parent of the package when absent.

    Returns:
        (40 hex digits, dirty); (None, False) for code that is not in a git checkout, as when it
        was installed from a wheel.
    """
    folder = checkout or Path(__file__).resolve().parents[2]
    # A wheel lies in site-packages, which may lie in the checkout of somebody else's project.
    if not (folder / ".git").exists():
        return None, False
    try:
        head = _git(folder, "rev-parse", "HEAD")
        return head, bool(_git(folder, "status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.CalledProcessError):
        return None, False


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def package_versions() -> dict[str, str]:
    """Installed versions of the packages that can change a number."""
    versions = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def peak_memory_bytes() -> int | None:
    """The most resident memory this process has held, in bytes; None where it is not known."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # Linux counts in KiB


def describe(
    device: str, seeds: Mapping[str, int], wall_seconds: float, **more: Any
) -> dict[str, Any]:
    """Everything that env.json holds.

    Args:
        device: the device that the kernels ran on, such as ``cpu`` or ``cuda:0 (name)``.
        seeds: name → seed of every generator of the run.
        wall_seconds: how long the run took.
        more: further facts, kept as they are.
    """
    sha, dirty = commit()
    return {
        "commit": sha,
        "dirty": dirty,
        "versions": package_versions(),
        "platform": platform.platform(),
        "device": device,
        "seeds": dict(seeds),
        "wall_seconds": round(wall_seconds, 3),
        "peak_memory_bytes": peak_memory_bytes(),
        **more,
    }
