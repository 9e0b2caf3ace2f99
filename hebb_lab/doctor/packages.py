"""Which packages are installed, whether they fit, and the command that brings the rest.

What is needed is read from the project's own declaration, so this list cannot go stale.
"""

from __future__ import annotations

import importlib
import shlex
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).resolve().parents[2]
EXCLUSIVE = ("cpu", "gpu", "gpu12")
"""Extras of which an environment holds one: they share the import name faiss, or two CUDA lines."""

IMPORT_NAMES = {
    "hydra-core": "hydra",
    "PyStemmer": "Stemmer",
    "python-ulid": "ulid",
    "scikit-learn": "sklearn",
}
"""Where it is not the distribution's own name."""


@dataclass(frozen=True)
class Part:
    """One required package.

    Args:
        name: the distribution.
        needs: the versions that fit, "" for any.
        version: the installed version, None when missing.
        problem: why it does not do, None when it does.
    """

    name: str
    needs: str
    version: str | None
    problem: str | None


@dataclass(frozen=True)
class Extra:
    """One optional group of packages.

    Args:
        name: as in ``hebb_lab[name]``.
        parts: its packages.
        command: what installs it.
    """

    name: str
    parts: tuple[Part, ...]
    command: str

    @property
    def installed(self) -> bool:
        """Whether every part is there in a version that fits."""
        return all(part.problem is None for part in self.parts)


def is_checkout() -> bool:
    """Whether the package runs from a checkout of the project rather than from a wheel."""
    return (CHECKOUT / "pyproject.toml").is_file() and (CHECKOUT / "constraints.txt").is_file()


def declared() -> dict[str, list[Requirement]]:
    """Extra → what it requires on this platform; the base stands under the name ""."""
    if is_checkout():
        project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
        groups = {"": project["dependencies"], **project["optional-dependencies"]}
        parsed = {name: [Requirement(line) for line in lines] for name, lines in groups.items()}
    else:
        lines = [Requirement(line) for line in metadata.requires("hebb_lab") or ()]
        names = ["", *(metadata.metadata("hebb_lab").get_all("Provides-Extra") or ())]
        parsed = {name: _of_extra(lines, name) for name in names}
    return {
        name: [line for line in lines if _applies(line, name)] for name, lines in parsed.items()
    }


def _of_extra(lines: Iterable[Requirement], extra: str) -> list[Requirement]:
    """Those that the extra adds to the base; for the name "", the base."""
    base = [line for line in lines if _applies(line, "")]
    return [line for line in lines if _applies(line, extra) and line not in base] if extra else base


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def installed() -> dict[str, str]:
    """Normalised name → version of every distribution in this environment."""
    return {
        canonicalize_name(found.metadata["Name"]): found.version
        for found in metadata.distributions()
        if found.metadata["Name"]
    }


def check(requirement: Requirement, versions: Mapping[str, str]) -> Part:
    """Hold one requirement against the installed versions.

    >>> check(Requirement("numpy>=2"), {"numpy": "1.26.4"}).problem
    'needs >=2'
    """
    version = versions.get(canonicalize_name(requirement.name))
    needs = str(requirement.specifier)
    problem = None
    if version is None:
        problem = "missing"
    elif not requirement.specifier.contains(version, prereleases=True):
        problem = f"needs {needs}"
    return Part(requirement.name, needs, version, problem)


def import_problem(part: Part) -> str | None:
    """What importing an installed package raises, in one line; None when it works."""
    try:
        importlib.import_module(IMPORT_NAMES.get(part.name, part.name.replace("-", "_")))
    except Exception as error:  # libraries that do not load raise many types
        return f"does not import: {type(error).__name__}: {error}".splitlines()[0]
    return None


def base(versions: Mapping[str, str]) -> list[Part]:
    """The packages without which nothing works, each imported for real."""
    parts = [check(requirement, versions) for requirement in declared()[""]]
    return [
        part if part.problem else Part(part.name, part.needs, part.version, import_problem(part))
        for part in parts
    ]


def extras(versions: Mapping[str, str]) -> list[Extra]:
    """Every optional group, with the command that installs it."""
    groups = {name: lines for name, lines in declared().items() if name}
    return [
        Extra(
            name,
            tuple(check(line, versions) for line in lines),
            install_command(name, rivals(name, groups, versions)),
        )
        for name, lines in groups.items()
    ]


def rivals(
    extra: str, groups: Mapping[str, Iterable[Requirement]], versions: Mapping[str, str]
) -> list[str]:
    """Installed packages that must go before an exclusive extra comes."""
    if extra not in EXCLUSIVE:
        return []
    names = {
        group: {canonicalize_name(line.name) for line in groups.get(group, ())}
        for group in EXCLUSIVE
    }
    others = set().union(*(names[group] for group in EXCLUSIVE if group != extra))
    return sorted((others - names[extra] - {"torch"}) & versions.keys())


def pip(arguments: str) -> str:
    """A pip command for the Python that runs now, as short as it can be typed from here."""
    python = Path(sys.executable)
    here = Path.cwd()
    shown = python.relative_to(here) if python.is_relative_to(here) else python
    return f"{shlex.quote(str(shown))} -m pip {arguments}"


def install_command(extra: str, remove: Iterable[str] = ()) -> str:
    """The command that installs an extra, after removing what stands in its way."""
    target = f"hebb_lab[{extra}]"
    arguments = f"install {shlex.quote(target)}"
    if is_checkout():
        folder = Path() if Path.cwd() == CHECKOUT else CHECKOUT
        pins = folder / ("constraints-gpu12.txt" if extra == "gpu12" else "constraints.txt")
        arguments = f"install -c {shlex.quote(str(pins))} -e {shlex.quote(f'{folder}[{extra}]')}"
    names = " ".join(remove)
    return (f"{pip(f'uninstall -y {names}')} && " if names else "") + pip(arguments)
