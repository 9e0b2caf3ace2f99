"""Building the TemporalGraph from 10⁷ reinforcements, in a process of its own."""

import json
import sys

import pytest

from tests.benchmarks.child import measure
from tests.benchmarks.contest import rounds_of
from tests.benchmarks.values import Value, note

pytestmark = pytest.mark.bench

REINFORCEMENTS = 10**7


def test_building_the_graph(benchmark):
    found = []

    def once():
        command = ("-m", "tests.benchmarks.build_child", REINFORCEMENTS)
        done = measure(sys.executable, *command)
        assert done.code == 0, done.output
        found.append(json.loads(done.output.splitlines()[-1]))

    benchmark.pedantic(once, rounds=rounds_of(3))
    made = found[-1]
    peaks = [each["extra"] / made["events"] for each in found if each["extra"] is not None]
    note(
        benchmark,
        f"building the TemporalGraph of {made['events']:,} reinforcements "
        f"({made['edges']:,} edges, {made['nodes']:,} nodes, {made['windows']:,} windows of five)",
        "hebb_lab.graph.temporal.co_activation_graph in a process of its own, the windows already "
        "in memory; memory: highest resident size during the call, beyond what was held before, "
        "the finished graph included",
        Value("time", "s", tuple(each["seconds"] for each in found), at_most=10),
        Value("processor time of all threads", "CPU-s", tuple(e["processor"] for e in found)),
        *([Value("peak memory", "B a reinforcement", tuple(peaks), at_most=40)] if peaks else []),
        Value("of it the finished graph", "B a reinforcement",
              tuple(each["graph"] / each["events"] for each in found)),
    )  # fmt: skip
