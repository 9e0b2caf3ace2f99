"""The memory model: a durable store of 10⁴ to 10⁶ memories, search in its state, decay."""

import json
import sys
from functools import cache

import numpy as np
import pytest

from hebb_lab.memory.decay import scores
from hebb_lab.memory.rules import MemoryRules
from hebb_lab.memory.state import nearest
from tests.benchmarks.child import measure
from tests.benchmarks.contest import Contest
from tests.benchmarks.memory_child import DAY_US, QUERIES, K
from tests.benchmarks.memory_world import SPREAD, WIDTH, asked_of, state_of
from tests.benchmarks.slopes import seconds_of
from tests.benchmarks.test_growth import keep
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

MILLION, HNSW_OF = 10**6, 10**5
SIZES = [10**4, 31_623, 10**5, 316_228, MILLION]
EXACT = MemoryRules()
WORLD = (
    f"vectors given, {WIDTH} dimensions, in clusters of 100 as embeddings of texts lie (a mixture "
    f"of Gaussians on the sphere, spread {SPREAD:g})"
)


@pytest.fixture(scope="session")
def lives(tmp_path_factory):
    """Size → what a store of so many memories took: a process that writes it, one that reads it."""

    @cache
    def life(size):
        folder = tmp_path_factory.mktemp("stores") / str(size)
        made = {}
        for part in ("write", "read"):
            done = measure(
                sys.executable, "-m", "tests.benchmarks.memory_child", part, folder, size
            )
            assert done.code == 0, done.output
            made |= json.loads(done.output.splitlines()[-1]) | {f"peak_{part}": done.peak_mb}
        for file in folder.iterdir():
            file.unlink()
        return made

    return life


def test_a_durable_store_of_a_million_memories(benchmark, lives):
    made = benchmark.pedantic(lives, (MILLION,), rounds=1)
    each = [MILLION / len(made["remember"]) / seconds for seconds in made["remember"]]
    note(
        benchmark,
        f"memory model: a durable store of {MILLION:,} memories",
        f"{WORLD}. MemoryStore.remember in batches of 100,000, full durability, sample by batch; "
        f"then another process opens it to read, checks it, and recalls ({QUERIES} questions at "
        f"once, similarity, exact, with the score of the page's rules, k = {K}, nothing "
        "reinforced) and sweeps (one half-life). Peak memory of each process by getrusage",
        Value("remember", "memories/s", tuple(each), at_least=20_000),
        Value("open", "s", (made["open"],), at_most=10),
        Value("recall", "questions/s", tuple(QUERIES / s for s in made["recall"]), at_least=100),
        Value("decay sweep", "ms", tuple(1e3 * s for s in made["sweep"]), at_most=10),
        Value("peak memory, open to sweep", "MB", (made["peak_read"],), at_most=2500),
        Value("peak memory, remembering", "MB", (made["peak_write"],)),
        Value("state beside vectors", "MB", (made["beside_vectors"] / 1e6,)),
        Value("on the disk", "MB", (made["disk"] / 1e6,)),
    )


def test_exact_search_against_faiss(benchmark):
    faiss = pytest.importorskip("faiss")
    state, asked = state_of(MILLION), asked_of(MILLION, QUERIES)
    flat = faiss.IndexFlatIP(WIDTH)
    for _, block in state.vectors.blocks():
        flat.add(block)
    contest = Contest(
        benchmark, lambda: nearest(state, asked, K, None, EXACT),
        {"IndexFlatIP": lambda: flat.search(asked, K)}, rounds=3,
    ).run()  # fmt: skip
    np.testing.assert_allclose(
        contest.answers["ours"][1], contest.answers["IndexFlatIP"][0], rtol=1e-5
    )
    rates = tuple(QUERIES / seconds for seconds in contest.seconds["ours"])
    note(
        benchmark,
        f"memory model, exact search: {QUERIES} queries × {MILLION:,} vectors of {WIDTH}, k = {K}",
        f"{WORLD}. state.nearest (a sieve of rounded products, what passes it settled in float64) "
        "against faiss.IndexFlatIP.search of the same vectors, all threads; cosines equal to 1e-5",
        Value("search", "queries/s", rates, at_least=100),
        contest.wall("IndexFlatIP"),
        contest.against("IndexFlatIP"),
    )


def test_search_in_an_hnsw_graph(benchmark):
    faiss = pytest.importorskip("faiss")
    state, asked = state_of(HNSW_OF), asked_of(HNSW_OF, 10 * QUERIES)
    rules = EXACT.change(index="hnsw")
    contest = Contest(
        benchmark, lambda: nearest(state, asked, K, None, rules),
        {"exact": lambda: nearest(state, asked, K, None, EXACT)}, rounds=5,
    )  # fmt: skip
    building = seconds_of(lambda: nearest(state, asked[:1], K, None, rules))
    contest.run()
    pairs = zip(contest.answers["ours"][0], contest.answers["exact"][0], strict=True)
    found = np.mean([len({*ours} & {*right}) / K for ours, right in pairs])
    rates = tuple(len(asked) / seconds for seconds in contest.seconds["ours"])
    note(
        benchmark,
        f"memory model, HNSW: {len(asked):,} queries × {HNSW_OF:,} vectors of {WIDTH}, k = {K}",
        f"{WORLD}. rules.index=hnsw with M = {rules.hnsw_neighbours}, {rules.hnsw_construction} "
        f"candidates while it is built and {rules.hnsw_search} of a search, FAISS "
        f"{faiss.__version__}, all threads, answers settled; recall against exact search",
        Value("search", "queries/s", rates, at_least=3000),
        Value(f"recall@{K}", "", (float(found),), at_least=0.95),
        Value("building the graph", "s", (building,)),
        contest.against("exact"),
    )


def test_decay_of_a_million(benchmark):
    state = state_of(MILLION)
    at_us = MILLION * 1_000_000 + 30 * DAY_US
    days = tuple(float(d) for d in np.geomspace(1, 365, 8))
    contest = Contest(
        benchmark, lambda: scores(state, EXACT, at_us),
        {"8 half-lives": lambda: scores(state, EXACT, at_us, days)}, rounds=10,
    ).run()  # fmt: skip
    note(
        benchmark,
        f"memory model, decay: scores of {MILLION:,} memories",
        "hebb_lab.memory.decay.scores over the columns of a state, all threads, nothing written",
        Value("one half-life", "ms", tuple(1e3 * s for s in contest.seconds["ours"]), at_most=10),
        Value("8 half-lives", "ms", tuple(1e3 * s for s in contest.seconds["8 half-lives"])),
    )


GROWN = {
    "remember": "remembering, durable",
    "open": "opening and checking",
    "recall": f"recalling, {QUERIES} questions",
    "sweep": "a decay sweep",
}


@pytest.mark.parametrize("part", GROWN)
def test_growth_of_a_store(benchmark, lives, part):
    made = benchmark.pedantic(lambda: {size: lives(size) for size in SIZES}, rounds=1)
    seconds = {
        size: [sum(one["remember"])] if part == "remember" else list(np.atleast_1d(one[part]))
        for size, one in made.items()
    }
    keep(
        benchmark, f"growth of {GROWN[part]}: 10⁴ to 10⁶ memories",
        f"{WORLD}; each size in processes of its own",
        ("memories", GROWN[part], "memories"), seconds, {size: size for size in SIZES},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("part", "what"), [("disk", "on the disk"), ("state", "of the state in memory")]
)
def test_bytes_of_a_memory(benchmark, lives, part, what):
    made = benchmark.pedantic(lambda: {size: lives(size) for size in SIZES}, rounds=1)
    note(
        benchmark,
        f"bytes of a memory {what}, 10⁴ to 10⁶ memories",
        f"{WORLD}; contents of 60 bytes, no context, no edges",
        *(Value(f"at {size:,}", "bytes", (one[part] / size,)) for size, one in made.items()),
    )
