"""Which modules the tests of a folder reach, found by reading names and imports.

A module is tested when its mirrored folder has a test of its name, when a test there (or above or
below) names it, or when one names a module of the same folder that imports it. What a package's
``__init__`` hands on counts for the module that defines it, so a module that is merely registered
there is not tested yet.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, TESTS = ROOT / "hebb_lab", ROOT / "tests"


def dotted_name(path):
    """hebb_lab/graph/pairs.py → hebb_lab.graph.pairs"""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules(package=PACKAGE):
    """Dotted name → file, of every module that is not an ``__init__``."""
    files = sorted(path for path in package.rglob("*.py") if path.name != "__init__.py")
    return {dotted_name(path): path for path in files}


@cache
def handed_on():
    """(package, name) → the module that its ``__init__`` takes the name from."""
    found = {}
    for path in PACKAGE.rglob("__init__.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                source = absolute(node, path)
                for alias in node.names:
                    found[dotted_name(path), alias.asname or alias.name] = source
    return found


def absolute(node, path):
    """The module that a from-import takes from, with its dots resolved."""
    if node.level == 0:
        return node.module
    folder = path.relative_to(ROOT).parent.parts
    return ".".join([*folder[: len(folder) - node.level + 1], *filter(None, [node.module])])


def defining(package, name):
    """The module behind ``from package import name``."""
    if f"{package}.{name}" in modules():
        return f"{package}.{name}"
    source = handed_on().get((package, name))
    if source is None:
        return package
    return source if source in modules() else defining(source, name)


@cache
def named_in(path):
    """Every module that a file names, in an import or in a string."""
    text = path.read_text()
    found = set(re.findall(r"hebb_lab(?:\.\w+)+", text))
    # `python -m hebb_lab.simulator` runs its __main__
    found |= {f"{name}.__main__" for name in found}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            source = absolute(node, path)
            found |= {defining(source, alias.name) for alias in node.names}
    # `hebb_lab.graph.pairs.pair_up` names hebb_lab.graph.pairs
    found |= {name.rpartition(".")[0] for name in found}
    return found & modules().keys()


@cache
def reached_from(folder):
    """What the tests that mirror a folder, or lie above or below it, reach inside that folder."""
    tests = [
        path
        for path in TESTS.rglob("test_*.py")
        if is_near(path.parent.relative_to(TESTS), folder.relative_to(PACKAGE))
    ]
    reached = set()
    waiting = set().union(*map(named_in, tests))
    while waiting:
        name = waiting.pop()
        if name not in reached and modules()[name].parent == folder:
            reached.add(name)
            waiting |= named_in(modules()[name])
    return reached


def is_near(tests, folder):
    return tests.is_relative_to(folder) or (tests != Path() and folder.is_relative_to(tests))


def is_tested(dotted):
    """Whether the tests of its folder reach a module."""
    path = modules()[dotted]
    mirrored = TESTS / path.parent.relative_to(PACKAGE)
    if any(mirrored.glob(f"test_{path.stem.strip('_')}*.py")):
        return True
    return dotted in reached_from(path.parent)
