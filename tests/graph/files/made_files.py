"""Small values of every kind of file, and worlds of them for hypothesis."""

import dataclasses

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hebb_lab.graph import files
from hebb_lab.graph.files.coactivation import BANDIT


def hebbian():
    return files.HebbianFile(
        np.array([0, 2, 3, 4], np.int32), np.array([1, 2, 0, 0], np.int32),
        np.array([1.5, 0.25, 1.5, 0.25], np.float32), np.array([7, 0, 65535, 3], np.uint16),
        np.array([255, 0, 128, 9], np.uint8), np.array([0, 1, 0, 0], np.uint8), 9, 6,
    )  # fmt: skip


def chain():
    return files.ChainFile(
        np.array([-1, 0, 1], np.int32), np.array([1, 2, -1], np.int32),
        np.array([42, 42, 42], np.int32), np.array([1000, 1001, -1], np.int32), 3,
    )  # fmt: skip


def hyperedges():
    return files.HyperedgeFile(
        np.array([0, 1, 2], np.int32), np.array([0, 5, 1], np.int32),
        np.array([1, 0, 3.5], np.float32), np.array([3, 0, 2], np.int32),
        np.array([0, 3, 3], np.int32), np.array([7, -1, -1], np.int32),
        np.array([10**12, 0, 5], np.int64), np.array([0, 1, 2, 1, 3], np.int32),
        np.array([1, 3, 3, 1, 2], np.int32), 8, 16,
    )  # fmt: skip


def co_activation():
    hashes = sorted(map(files.tag_hash, ("database", "größe", "retry")))
    names = {files.tag_hash(name): name for name in ("database", "größe", "retry")}
    bandits = np.zeros(1, BANDIT)
    bandits[0] = (2**40, 3, 0.5, 4, 2, 10**12)
    return files.CoActivationFile(
        np.array([hashes[0], hashes[0]]), np.array([hashes[1], hashes[2]]),
        np.array([3, 1], np.int32), np.array(hashes[:2]), np.array(hashes[1:]),
        np.array([0.5, 0], np.float32), np.array([10**12, 0]), np.array([2, 1], np.int32),
        np.array(hashes), tuple(names[h] for h in hashes), bandits, 4, 4,
    )  # fmt: skip


def registry():
    return files.RegistryFile(("PERSON", "ÖRTLICHKEIT"), np.array([0, 7], np.int32))


def names():
    return files.NamesFile(("ann", "größe"), np.array([1, 0], np.int32))


def directory():
    return files.EntityDirectoryFile(
        np.array([0, 3, 3], np.int32),
        np.array([files.java_string_hash(n) for n in ("größe", "ann", "bob")], np.int64),
        np.array([-1, -1, 1], np.int32), np.array([0, 2, 2, 3]), np.array([0, 4, 4], np.int32),
        np.array([1, 1.2, 0.25], np.float32),
    )  # fmt: skip


# name → (file name, a small value, reader, writers)
KINDS = {
    "hebbian": ("hebbian.graph", hebbian, files.read_hebbian, files.write_hebbian),
    "hebbian of the page": (
        "hebbian.graph", hebbian, files.read_hebbian,
        lambda path, value: files.write_hebbian(path, value, "page"),
    ),
    "chain": ("temporal.chain", chain, files.read_chain, files.write_chain),
    "chain of the page": (
        "temporal.chain", chain, files.read_chain,
        lambda path, value: files.write_chain(path, value, "page"),
    ),
    "hyperedges": (
        "hypergraph.hyeg", hyperedges, files.read_hyperedges, files.write_hyperedges,
    ),
    "co-activation": (
        "coactivation.dat", co_activation, files.read_co_activation, files.write_co_activation,
    ),
    "registry": ("types.treg", registry, files.read_registry, files.write_registry),
    "legacy registry": (
        "types.reg", registry, files.read_registry,
        lambda path, value: files.write_registry(path, value, "legacy"),
    ),
    "names": ("entity-directory-names.idx", names, files.read_names, files.write_names),
    "directory": (
        "entity-directory.edir", directory, files.read_entity_directory,
        files.write_entity_directory,
    ),
}  # fmt: skip


def assert_same(left, right):
    assert type(left) is type(right)
    for part in dataclasses.fields(left):
        a, b = getattr(left, part.name), getattr(right, part.name)
        if isinstance(a, np.ndarray):
            assert a.shape == b.shape, part.name
            assert a.tolist() == b.tolist(), part.name
        elif dataclasses.is_dataclass(a):
            assert_same(a, b)
        else:
            assert a == b, part.name


def _ints(size, low, high, dtype=np.int32):
    return hnp.arrays(dtype, size, elements=st.integers(low, high))


def _floats(size, low=-(2.0**100), high=2.0**100):
    return hnp.arrays(np.float32, size, elements=st.floats(low, high, width=32))


@st.composite
def hebbians(draw):
    degrees = draw(st.lists(st.integers(0, 4), max_size=6))
    edges = sum(degrees)
    return files.HebbianFile(
        np.cumsum([0, *degrees]).astype(np.int32), draw(_ints(edges, 0, max(len(degrees) - 1, 0))),
        draw(_floats(edges)), draw(_ints(edges, 0, 65535, np.uint16)),
        draw(_ints(edges, 0, 255, np.uint8)), draw(_ints(edges, 0, 255, np.uint8)),
        draw(st.integers(0, 2**31 - 1)), edges + draw(st.integers(0, 9)),
    )  # fmt: skip


@st.composite
def chains(draw):
    n = draw(st.integers(0, 6))
    pointers = draw(_ints(n, -1, n - 1)), draw(_ints(n, -1, n - 1))
    anything = _ints(n, -(2**31), 2**31 - 1)
    return files.ChainFile(*pointers, draw(anything), draw(anything), draw(st.integers(0, n)))


@st.composite
def hypergraphs(draw):
    counts = np.array(draw(st.lists(st.integers(0, 8), max_size=5)), np.int32)
    n, v = len(counts), int(counts.sum())
    return files.HyperedgeFile(
        np.arange(n, dtype=np.int32), draw(_ints(n, 0, 9)), draw(_floats(n)), counts,
        (np.cumsum(counts) - counts).astype(np.int32), draw(_ints(n, -1, 99)),
        draw(_ints(n, -(2**63), 2**63 - 1, np.int64)), draw(_ints(v, 0, 11)),
        draw(_ints(v, 0, 7)), 12, n + draw(st.integers(0, 3)),
    )  # fmt: skip


@st.composite
def co_activations(draw):
    number = st.integers(-(2**63), 2**63 - 1)
    pairs = sorted({tuple(sorted(p)) for p in draw(st.lists(st.tuples(number, number)))})
    edges = sorted(set(draw(st.lists(st.tuples(number, number)))))
    a, b = np.array(pairs, np.int64).reshape(-1, 2).T
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    tags = draw(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
    p, e = len(pairs), len(edges)
    return files.CoActivationFile(
        a, b, draw(_ints(p, 0, 2**31 - 1)), source, target, draw(_floats(e, 0, 1)),
        draw(_ints(e, -(2**63), 2**63 - 1, np.int64)), draw(_ints(e, 0, 2**31 - 1)),
        np.array([files.tag_hash(tag) for tag in tags], np.int64), tuple(tags),
        np.zeros(draw(st.integers(0, 2)), BANDIT), files.slot_count(p), files.slot_count(e),
    )  # fmt: skip


@st.composite
def registries(draw):
    written = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
    names = {name.upper() for name in draw(st.lists(written, max_size=5)) if name.strip()}
    stable = sorted(name for name in names if name == name.upper())
    numbers = st.lists(
        st.integers(0, 2**31 - 1), min_size=len(stable), max_size=len(stable), unique=True
    )
    return files.RegistryFile(tuple(stable), np.array(draw(numbers), np.int32))


@st.composite
def directories(draw):
    degrees = draw(st.lists(st.integers(0, 3), max_size=5))
    n, links = len(degrees), sum(degrees)
    named = draw(st.lists(st.text("abß"), max_size=4)) if n else []
    return files.EntityDirectoryFile(
        draw(_ints(n, 0, 20)), draw(_ints(n, -(2**31), 2**31 - 1, np.int64)),
        draw(_ints(n, -1, n - 1)), np.cumsum([0, *degrees]), draw(_ints(links, 0, 99)),
        draw(_floats(links)),
        files.NamesFile(tuple(named), draw(_ints(len(named), 0, max(n - 1, 0)))),
    )  # fmt: skip
