"""`python -m tests.benchmarks.fit_child MODEL`: fits a model before each block and scores it."""

import json
import sys
import time

import numpy as np

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.facts.cases import draw_cases
from hebb_lab.halflife.facts.history import history_of
from hebb_lab.halflife.facts.rows import draw_rows
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.protocol.settings import known_models
from hebb_lab.kernels.choose import backend_named
from hebb_lab.worlds import parameters_from, world_graph

EDGES, BLOCKS, HORIZONS = 212_000, 6, (7.0, 1.0, 30.0)


def main(name):
    """Print what it took as JSON."""
    backend = backend_named("cpu")
    small, _ = world_graph(parameters_from("half_lives", edges=300), np.random.default_rng(1))
    run(
        known_models()[name], history_of(small, DOCUMENTED, backend)
    )  # what is compiled on first use
    graph, truth = world_graph(
        parameters_from("half_lives", edges=EDGES), np.random.default_rng(11)
    )
    began, processor = time.perf_counter(), time.process_time()
    history = history_of(graph, DOCUMENTED, backend, truth=truth)
    scored = run(known_models()[name], history)
    made = {
        "seconds": time.perf_counter() - began, "processor": time.process_time() - processor,
        "events": graph.event_count, "edges": graph.edge_count, **scored,
    }  # fmt: skip
    sys.stdout.write(json.dumps(made) + "\n")


def run(model, history):
    """Fit before blocks 1 to 5, score each; the numbers that were scored."""
    cuts = [history.recalls * block // BLOCKS for block in range(BLOCKS + 1)]
    cases = rows = 0
    for block in range(1, BLOCKS):
        first, until = cuts[block], cuts[block + 1]
        fit = model.fit(history, Training(first, stride_days=7.0))
        asked = draw_cases(history, first, until, most=4_000)
        assert np.isfinite(fit.intensity(asked.moments)).all()
        cases += len(asked.event)
        for days in HORIZONS:
            drawn = draw_rows(history, first, until, days, stride_days=7.0, most=40_000)
            assert np.isfinite(fit.predict(drawn.moments, days)).all()
            rows += len(drawn.again)
    return {"cases": cases, "rows": rows}


if __name__ == "__main__":
    main(sys.argv[1])
