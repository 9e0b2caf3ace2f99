"""`python -m tests.benchmarks.build_child COUNT`: builds a graph of so many reinforcements."""

import json
import sys
import time

from hebb_lab.graph.temporal import co_activation_graph
from tests.benchmarks.inputs import made_windows
from tests.benchmarks.machine import Extra


def main(count):
    """Print what it took as JSON."""
    co_activation_graph(made_windows(1000))  # what is imported or compiled on first use
    windows = made_windows(count)
    with Extra() as extra:
        began, processor = time.perf_counter(), time.process_time()
        graph = co_activation_graph(windows)
        seconds, processor = time.perf_counter() - began, time.process_time() - processor
    made = {
        "seconds": seconds, "processor": processor, "extra": extra.bytes,
        "graph": graph.byte_count(), "events": graph.event_count, "edges": graph.edge_count,
        "nodes": graph.node_count, "windows": len(windows),
    }  # fmt: skip
    sys.stdout.write(json.dumps(made) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
