"""The layout rules of the house, and that importing it is cheap."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests import reach

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "hebb_lab"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = ROOT / "tests"

MODULE_LINES, FUNCTION_LINES, FOLDER_FILES = 250, 40, 12
HEAVY = {
    "bm25s", "cupy", "faiss", "matplotlib.pyplot", "numba", "pandas", "scipy.stats", "sklearn",
    "statsmodels", "torch", "torch_geometric",
}  # fmt: skip

# Folders of tests that look at the system as a whole.
WHOLE_SYSTEM = {Path("benchmarks"), Path("experiments")}

# Modules that stand under another name than their distribution.
DISTRIBUTIONS = {
    "hydra": "hydra-core", "pytrec_eval": "pytrec-eval-terrier", "cupyx": "cupy",
    "sklearn": "scikit-learn", "Stemmer": "PyStemmer", "ulid": "python-ulid",
}  # fmt: skip


def named(path):
    return str(path.relative_to(ROOT))


def is_plain_init(path):
    return path.name == "__init__.py"


def test_a_module_stays_under_250_lines():
    lengths = {named(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: n for name, n in lengths.items() if n > MODULE_LINES} == {}


def test_a_function_stays_under_40_lines():
    long = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1 - docstring_lines(node)
                if lines > FUNCTION_LINES:
                    long[f"{named(path)}:{node.lineno} {node.name}"] = lines
    assert long == {}


def docstring_lines(function):
    first = function.body[0]
    is_docstring = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return first.end_lineno - first.lineno + 1 if is_docstring else 0


def test_a_folder_stays_under_a_dozen_files():
    folders = {path.parent for path in MODULES}
    counts = {
        named(folder): sum(1 for path in folder.glob("*.py") if not is_plain_init(path))
        for folder in folders
    }
    assert {name: n for name, n in counts.items() if n > FOLDER_FILES} == {}


def test_nothing_is_called_utils():
    names = {"utils.py", "util.py", "helpers.py", "common.py", "misc.py"}
    assert [named(path) for path in MODULES if path.name in names] == []


def test_every_folder_of_the_package_is_a_package():
    bare = {path.parent for path in MODULES if not (path.parent / "__init__.py").exists()}
    assert sorted(map(named, bare)) == []


def test_the_test_folders_mirror_the_package():
    folders = {path.parent.relative_to(PACKAGE) for path in MODULES}
    mirrored = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    assert sorted(map(str, mirrored - folders - WHOLE_SYSTEM)) == []


def test_every_module_is_reached_by_the_tests_of_its_folder():
    assert [dotted for dotted in reach.modules(PACKAGE) if not reach.is_tested(dotted)] == []


def imported(tree, *, only_at_import):
    """Top-level names that a module imports; those inside functions and TYPE_CHECKING aside."""
    nodes = top_level(tree) if only_at_import else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


def top_level(tree):
    for node in tree.body:
        if isinstance(node, ast.Try):
            continue  # an optional import
        if isinstance(node, ast.If):
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                yield from node.body
            continue
        yield node


def distributions(extras):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = list(project["dependencies"])
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {Requirement(line).name.lower() for line in lines}


def undeclared(paths, allowed, *, only_at_import=False):
    ours = {"hebb_lab", "tests", *sys.stdlib_module_names}
    found = set()
    for path in paths:
        for name in imported(ast.parse(path.read_text()), only_at_import=only_at_import):
            distribution = DISTRIBUTIONS.get(name, name.replace("_", "-")).lower()
            if name not in ours and not any(
                # cupy and faiss have one distribution for each CUDA line
                declared == distribution or declared.startswith(f"{distribution}-")
                for declared in allowed
            ):
                found.add(f"{named(path)} imports {name}")
    return sorted(found)


def test_what_the_package_imports_at_once_is_in_the_base():
    assert undeclared(MODULES, distributions([]), only_at_import=True) == []


def test_what_the_package_imports_later_is_in_an_extra():
    extras = ["cpu", "gpu", "gpu12", "kernels", "embed", "sweep", "ray", "track"]
    assert undeclared(MODULES, distributions(extras)) == []


def test_what_the_tests_import_is_installed_by_setup():
    allowed = distributions(["cpu", "dev", "notebooks"])
    assert undeclared(sorted(TESTS.rglob("*.py")), allowed, only_at_import=True) == []


def loaded_by(*arguments):
    """The modules that a fresh Python process loads, as -X importtime lists them."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    return {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if "|" in line}


def test_importing_the_package_loads_nothing_heavy():
    loaded = loaded_by("-c", "import hebb_lab")
    assert "hebb_lab" in loaded
    assert loaded & (HEAVY | {"hydra", "numpy", "polars"}) == set()


@pytest.mark.parametrize("command", ["run", "report", "doctor"])
def test_help_loads_nothing_heavy(command):
    loaded = loaded_by("-m", f"hebb_lab.{command}", "--help")
    assert "hebb_lab" in loaded
    assert loaded & HEAVY == set()


def test_no_tracked_file_names_a_path_of_one_machine():
    pattern = re.compile(
        r"(?<![\w.~-])/(root|work)/|/bash_jobs" + f"|{re.escape(str(Path.home()))}/"
    )
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if name.startswith("tests/") or not path.is_file():
            continue
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue  # pictures and packed logs
        found += [f"{name}:{n}" for n, line in enumerate(lines, 1) if pattern.search(line)]
    assert found == []
