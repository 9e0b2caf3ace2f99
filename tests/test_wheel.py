"""The wheel carries the configs, so that an installed hebb_lab runs from any folder."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import hebb_lab

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("the build backend hatchling is not installed: pip install -e '.[dev]'")
    out = tmp_path_factory.mktemp("wheel")
    build = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert build.returncode == 0, build.stdout + build.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_is_for_every_platform_and_has_the_version(wheel):
    assert wheel.name == f"hebb_lab-{hebb_lab.__version__}-py3-none-any.whl"


def test_every_config_is_in_the_wheel(names):
    configs = list((ROOT / "configs").rglob("*.yaml"))
    assert configs
    inside = {
        f"hebb_lab/_configs/{path.relative_to(ROOT / 'configs').as_posix()}" for path in configs
    }
    assert inside - names == set()


def test_every_module_is_in_the_wheel_and_no_test(names):
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "hebb_lab").rglob("*.py")}
    assert modules - names == set()
    assert {name.split("/")[0] for name in names} == {
        "hebb_lab", f"hebb_lab-{hebb_lab.__version__}.dist-info",
    }  # fmt: skip


def test_the_cuda_kernels_are_in_the_wheel(names):
    sources = (ROOT / "hebb_lab" / "kernels" / "cuda" / "source").iterdir()
    inside = {path.relative_to(ROOT).as_posix() for path in sources}
    assert any(name.endswith(".cu") for name in inside)
    assert inside - names == set()


def test_types_and_licence_are_in_the_wheel(names):
    assert "hebb_lab/py.typed" in names
    assert f"hebb_lab-{hebb_lab.__version__}.dist-info/licenses/LICENSE" in names


def test_an_unpacked_wheel_finds_its_own_configs_from_any_folder(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "hebb_lab.run", "+exp=ablation", "--cfg", "job"],
        cwd=elsewhere, env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "experiment: ablation" in run.stdout
    assert list(elsewhere.iterdir()) == []
