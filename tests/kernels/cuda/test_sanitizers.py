"""The kernels' text on the host under address and thread sanitizers, and faults that they catch.

No GPU is at work: races between blocks and a device's memory order are out of their sight.
"""

import os
import shutil
import subprocess

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import Rows, nothing_found
from hebb_lab.kernels.cuda.backend import kernels_on
from hebb_lab.kernels.cuda.sources import modules, text_of
from tests.kernels.cuda.host.build import compiler, player
from tests.kernels.cuda.host.launch import Recorder
from tests.kernels.logs import DAY_US, START_US, asked, case_of, hub
from tests.kernels.retained import NOW_US, retention, some_memories

pytestmark = pytest.mark.skipif(compiler() is None, reason="no g++ to build the kernels with")

FIXED = DOCUMENTED.change(half_life="fixed")
RULES = [
    OBSERVED, FIXED.change(frontier=3, hops=3), DOCUMENTED.change(normalisation="source_row"),
    FIXED.change(decay_shape="two_time_scales", hub_degree=2),
]  # fmt: skip
RACE, BEYOND = "data race", "heap-buffer-overflow"


PARTS = [
    ["replay", "sweep", "likelihood", "tangents"], ["spread"], ["pagerank"],
    ["segments", "lists", "recall", "retention"],
]  # fmt: skip


def test_every_module_is_played():
    assert sorted(module for part in PARTS for module in part) == modules()


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """One launch and more of every kernel, on a small case with a hub and exclusions."""
    launcher = Recorder("float64", threads=8)
    work(kernels_on(launcher, 10_000_000))
    path = tmp_path_factory.mktemp("launches") / "launches"
    launcher.write(path)
    return path


def work(kernels):
    case, rng = case_of(hub(), RULES, 75), np.random.default_rng(0)
    queries = asked(
        *(
            (START_US + day * DAY_US, [(0, 1.0), (day, 0.6), (0, 0.3)], [day + 1] * 2)
            for day in (2, 9, 31)
        )
    )
    graph = kernels.place(case.graph)
    state = kernels.replay(graph, case.traces, True)
    walker = kernels.walk(graph, state, case.traces, case.reads)
    walker.spread(queries, 5)
    walker.personalised_pagerank(queries, 5, 0.15, 1e-3)
    kernels.weights_at(graph, case.traces, queries.time)
    likely = case_of(hub(), [FIXED], 75)
    kernels.log_likelihood(graph, likely.traces, np.ones(1), np.ones(1), int(queries.time[-1]))
    events = len(case.graph.time)
    kernels.replay_tangents(graph, likely.traces, np.full(events, 9.0), rng.random((events, 2)))
    rows = Rows(
        case.graph.row_ptr, case.graph.col, rng.random((len(case.graph.col), len(RULES))) - 0.1
    )
    kernels.spread_rows(rows, case.reads, queries, 5)
    energies = nothing_found(2, 3, 2)
    energies.ids[:, :, 0], energies.scores[:, :, 0] = 1, 0.5
    vectors = rng.integers(-1, 2, (50, 20)).astype(np.float32)
    kernels.recall(vectors, vectors[:3], energies, np.array([0.1, -1.0]), queries, 7)
    ids, pointer = np.arange(40, dtype=np.int32) % 20, np.array([0, 0, 20, 40])
    kernels.segment_top_k(rng.integers(0, 3, (2, 40)).astype(float), ids, pointer, 4)
    kernels.pair_counts(ids, pointer)
    kernels.intersect(ids, pointer, np.array([1, 2, 0]), np.array([2, 2, 1]))
    kernels.follow(np.array([1, 2, -1], np.int32), np.array([0, 1, 2], np.int32), 4)
    kernels.decay_scores(some_memories(rng, 40), retention((30, 1, 9, 0), (9, 0, 0, 1)), NOW_US)


def played(sanitizer, recording, chosen, edited=lambda text: text):
    """What a player of some modules says, and its exit status."""
    command = [str(player(sanitizer, chosen, edited)), str(recording)]
    if sanitizer == "thread":
        if shutil.which("setarch") is None:
            pytest.skip("no setarch: the thread sanitizer needs a fixed layout of memory")
        command = ["setarch", "-R", *command]
    # it ends at the first finding: threads that a race has led apart would wait for ever
    options = {"TSAN_OPTIONS": "exitcode=66 halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=0"}
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120,
        env=os.environ | options,
    )  # fmt: skip
    if "personality" in run.stderr or "unexpected memory mapping" in run.stderr:
        pytest.skip("this machine does not let the thread sanitizer lay out memory")
    return run.stdout + run.stderr, run.returncode


@pytest.mark.slow
@pytest.mark.parametrize("sanitizer", ["address", "thread"])
@pytest.mark.parametrize("chosen", PARTS, ids=lambda chosen: "-".join(chosen))
def test_no_kernel_races_inside_a_block_or_leaves_its_arrays(sanitizer, chosen, recording):
    said, status = played(sanitizer, recording, chosen)
    assert (said, status) == ("played\n", 0)


KEPT = "    i64 found = shared.kept;\n    FOR_BLOCK(i, found) {\n        i64 place"
ADD = "if (atomicAdd(&own.arrived[target], gain) == 0)"
PLAIN = """double had = own.arrived[target];
        own.arrived[target] += gain;
        if (had == 0)"""
FAULTS = {
    "an event past the edge's last": (
        "address", "replay", BEYOND, "if (m + 1 < last) ahead",
        "if (m < last) ahead",
    ),
    "a neighbour past the row's end": (
        "address", "spread", BEYOND, "weights(graph.row_ptr[part.nodes[f]] + base",
        "weights(1 + graph.row_ptr[part.nodes[f]] + base",
    ),
    "no barrier before energy is settled": (
        "thread", "spread", RACE, "    }\n    __syncthreads();\n}\n\n// What has arrived",
        "    }\n}\n\n// What has arrived",
    ),
    "no barrier before the best are sorted": (
        "thread", "spread", RACE, f"    __syncthreads();\n{KEPT}", KEPT,
    ),
    "energy added without an atomic": ("thread", "spread", RACE, ADD, PLAIN),
}  # fmt: skip
"""fault → (sanitizer, module, what it says, the text, the text with the fault)."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault, recording):
    sanitizer, module, finding, old, new = FAULTS[fault]
    assert old in text_of(module), "the text has changed"
    said, status = played(sanitizer, recording, [module], lambda text: text.replace(old, new))
    assert finding in said
    assert status != 0
