"""Packages that break each other without a word from pip, each with its cure."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hebb_lab.doctor.packages import pip


@dataclass(frozen=True)
class Conflict:
    """What is wrong with the environment, and the command that mends it."""

    problem: str
    cure: str


def find_conflicts(
    versions: Mapping[str, str], torch_cuda: str | None, driver: str | None
) -> list[Conflict]:
    """Every known way in which the installed packages stand in each other's way.

    Args:
        versions: normalised name → version, of ``packages.installed``.
        torch_cuda: the CUDA version that torch was built for, such as 13.0; None for a CPU build.
        driver: the version of the NVIDIA driver, None when there is none.
    """
    faiss = sorted(name for name in versions if re.fullmatch(r"faiss-(cpu|gpu.*)", name))
    cupy = sorted(name for name in versions if re.fullmatch(r"cupy(-cuda\d+x)?", name))
    found = [
        _two_of("faiss", faiss, "faiss-gpu" if torch_cuda and driver else "faiss-cpu"),
        _two_of("cupy", cupy, _cupy_for(torch_cuda)),
        _lines_differ(cupy, torch_cuda),
        _idle_device(versions, torch_cuda, driver),
        _emptied("faiss", faiss),
    ]
    return [conflict for conflict in found if conflict]


def _cupy_for(torch_cuda: str | None) -> str:
    return f"cupy-cuda{(torch_cuda or '13').split('.')[0]}x"


def _two_of(module: str, names: list[str], keep: str) -> Conflict | None:
    """Distributions that write the same files: the later one wins, removing it leaves ruins."""
    if len(names) < 2:
        return None
    return Conflict(
        f"{' and '.join(names)} are installed together and overwrite each other's {module}",
        _replace(names, keep),
    )


def _lines_differ(cupy: list[str], torch_cuda: str | None) -> Conflict | None:
    """Two CUDA lines in one process: whichever library loads first serves both."""
    if len(cupy) != 1 or torch_cuda is None or cupy[0] in ("cupy", _cupy_for(torch_cuda)):
        return None
    return Conflict(
        f"torch is built for CUDA {torch_cuda}, {cupy[0]} is for another CUDA line",
        _replace(cupy, _cupy_for(torch_cuda)),
    )


def _idle_device(
    versions: Mapping[str, str], torch_cuda: str | None, driver: str | None
) -> Conflict | None:
    if driver is None or torch_cuda is not None or "torch" not in versions:
        return None
    release = versions["torch"].split("+")[0]
    return Conflict(
        f"there is an NVIDIA driver ({driver}), but torch {versions['torch']} is a CPU build",
        pip(f"install --force-reinstall torch=={release}"),
    )


def _emptied(module: str, names: list[str]) -> Conflict | None:
    """A distribution that counts as installed while its files are gone."""
    if len(names) != 1:
        return None
    try:
        if hasattr(importlib.import_module(module), "__version__"):
            return None
        reason = "its files are gone"
    except Exception as error:  # libraries that do not load raise many types
        reason = f"importing {module} fails: {error}".splitlines()[0]
    return Conflict(
        f"{names[0]} is installed but broken: {reason}",
        pip(f"install --force-reinstall --no-deps {names[0]}"),
    )


def _replace(names: list[str], keep: str) -> str:
    return f"{pip('uninstall -y ' + ' '.join(names))} && {pip('install ' + keep)}"
