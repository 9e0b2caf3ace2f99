"""Everything that the doctor finds out, as one value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from hebb_lab import __version__
from hebb_lab.doctor import machine, packages
from hebb_lab.doctor.conflicts import Conflict, find_conflicts
from hebb_lab.doctor.kernel import KernelRun, run_kernel
from hebb_lab.kernels.choose import BACKENDS


@dataclass(frozen=True)
class Findings:
    """What this machine can do.

    Args:
        version: of hebb_lab.
        machine: of ``machine.machine``.
        devices: of ``machine.devices``.
        kernels: one real run of each back end that can run here, and why the others cannot.
        base: the packages without which nothing works.
        extras: the optional groups.
        conflicts: packages that break each other.
        embedding_model: a sentence model that loads without a network, None when there is none.
    """

    version: str
    machine: dict[str, Any]
    devices: dict[str, Any]
    kernels: list[KernelRun]
    base: list[packages.Part]
    extras: list[packages.Extra]
    conflicts: list[Conflict]
    embedding_model: str | None

    @property
    def base_works(self) -> bool:
        """Whether every base package fits and imports, and every kernel computes what it should."""
        return not (
            any(part.problem for part in self.base) or any(run.problem for run in self.kernels)
        )

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        extras = [asdict(extra) | {"installed": extra.installed} for extra in self.extras]
        return asdict(self) | {"extras": extras, "base_works": self.base_works}


def examine(brief: bool = False) -> Findings:
    """Look at this machine; imports every base package, which takes some seconds.

    Args:
        brief: run the back end of the processor alone.
    """
    versions = packages.installed()
    base = packages.base(versions)
    devices = machine.devices()
    extras = packages.extras(versions)
    kernels = [run_kernel(name) for name in (["cpu"] if brief else BACKENDS)]
    return Findings(
        version=__version__,
        machine=machine.machine(),
        devices=devices,
        kernels=kernels,
        base=base,
        extras=extras,
        conflicts=find_conflicts(versions, devices["torch_built_for_cuda"], devices["driver"]),
        embedding_model=embedding_model(extras),
    )


def embedding_model(extras: Iterable[packages.Extra]) -> str | None:
    """The sentence model whose weights came with the extra ``embed``, None without it."""
    found = any(extra.name == "embed" and extra.installed for extra in extras)
    return "all-MiniLM-L6-v2" if found else None
