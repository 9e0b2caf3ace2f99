"""The files that state a version agree with each other."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import hebb_lab

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
CUDA_LINE = {"torch", "triton", "faiss-cpu", "cupy-cuda12x", "cupy-cuda13x"}
# Left open: the extra `ray` needs older ones than the newest, torch's CUDA builds bring their own.
OPEN = {"joblib", "cuda-bindings", "nvidia-cuda-nvrtc"}


def pins(name):
    lines = (ROOT / name).read_text().splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"==[^*+]+", str(line.specifier)) for line in found)
    names = [line.name for line in found]
    assert len(set(names)) == len(names)
    return {line.name: str(line.specifier)[2:] for line in found}


PINS = pins("constraints.txt")
PINS_CUDA_12 = pins("constraints-gpu12.txt")


def requirements(extras):
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(
    ("pinned", "extras"),
    [
        (PINS, [extra for extra in EXTRAS if extra != "gpu12"]),
        (PINS_CUDA_12, [extra for extra in EXTRAS if extra not in ("cpu", "gpu")]),
    ],
    ids=["constraints.txt", "constraints-gpu12.txt"],
)
def test_every_requirement_is_pinned_to_a_version_that_fits(pinned, extras):
    for requirement in requirements(extras):
        name = canonicalize_name(requirement.name)
        if name not in OPEN:
            assert requirement.specifier.contains(pinned[name]), requirement


def test_the_two_files_differ_in_the_cuda_line_alone():
    names = PINS.keys() | PINS_CUDA_12.keys()
    assert {name for name in names if PINS.get(name) != PINS_CUDA_12.get(name)} == CUDA_LINE


def test_each_file_keeps_to_the_cuda_line_of_its_torch():
    # torch 2.11 was the first that PyPI carries for CUDA 13.
    assert Version(PINS["torch"]) >= Version("2.11") > Version(PINS_CUDA_12["torch"])
    assert "cupy-cuda12x" not in PINS
    assert "cupy-cuda13x" not in PINS_CUDA_12


def test_the_commit_hooks_use_the_pinned_ruff():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert f"ruff-pre-commit\n    rev: v{PINS['ruff']}\n" in hooks


def test_the_citation_and_the_changelog_know_this_version():
    assert f"\nversion: {hebb_lab.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] in ("Unreleased", hebb_lab.__version__)
    assert len(set(headings)) == len(headings)


def test_make_setup_installs_what_the_tests_need():
    makefile = (ROOT / "Makefile").read_text()
    assert "-e '.[$(EXTRA),dev,notebooks]'" in makefile
    assert "-c $(CONSTRAINTS)" in makefile
