"""`python -m tests.benchmarks.spread_memory NAME`: memory that one way of spreading takes."""

import json
import sys

from hebb_lab.kernels.choose import backend_named
from tests.benchmarks import spread_peers
from tests.benchmarks.inputs import power_law_rows, standing_queries
from tests.benchmarks.machine import Extra, free_bytes
from tests.benchmarks.test_spread import NODES, QUERIES, READS, RULES, K


def main(name):
    """Print the bytes beyond what was held before."""
    rows, count = power_law_rows(NODES, "float32"), QUERIES
    if name == "PygMessages":
        while count > 1 and (
            spread_peers.PygMessages.bytes_needed(len(rows.col), count) > 0.8 * free_bytes()
        ):
            count //= 2
    queries = standing_queries(NODES, count)
    if name in ("cpu", "torch"):
        backend = backend_named(name, "float32")
        placed = backend.place(rows)

        def work():
            return backend.spread_rows(placed, READS, queries, K)
    else:
        work = getattr(spread_peers, name)(rows, RULES, queries).spread
    if name != "PygMessages":
        work()
    with Extra() as extra:
        work()
    sys.stdout.write(json.dumps({"extra": extra.bytes, "queries": count}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
