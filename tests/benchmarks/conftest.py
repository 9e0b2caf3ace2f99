"""What all benchmarks share: the machine's description, compiled kernels, a simulated log."""

import os
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pytest

from tests.benchmarks.child import measure

PACKAGES = (
    "numpy", "numba", "polars", "scipy", "torch", "torch-geometric", "python-graphblas",
    "suitesparse-graphblas", "igraph", "faiss-cpu", "faiss-gpu", "cupy-cuda13x", "cupy-cuda12x",
)  # fmt: skip


def pytest_benchmark_update_machine_info(config, machine_info):
    """Add what the numbers depend on."""
    machine_info["cores"] = len(os.sched_getaffinity(0))
    machine_info["memory_gb"] = round(
        os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    )
    machine_info["versions"] = _versions() | {"SQLite": sqlite3.sqlite_version}


def _versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@pytest.fixture(autouse=True)
def load_before(request):
    """What else the machine does just before a benchmark: the load of the last minute."""
    if "benchmark" in request.fixturenames:
        info = request.getfixturevalue("benchmark").extra_info
        info["load_before"] = round(os.getloadavg()[0], 1)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The kernels lie compiled on the disk, as after any earlier run."""
    runs = tmp_path_factory.mktemp("warm")
    command = ("-m", "hebb_lab.run", "+exp=ablation", "debug=tiny", f"paths.runs={runs}")
    done = measure(sys.executable, *command)
    assert done.code == 0, done.output


@pytest.fixture(scope="session")
def simulated():
    """The graph of half a year of a simulated team."""
    from hebb_lab.graph.temporal import co_activation_graph
    from hebb_lab.simulator import PRESETS, simulate
    from hebb_lab.telemetry.touches import touches_of
    from hebb_lab.telemetry.windows import co_activations, window_of_touch

    touches = touches_of(simulate(PRESETS["large"], np.random.default_rng(0)).log)
    return co_activation_graph(co_activations(touches, window_of_touch(touches, "turn", 30)), 50)


@pytest.fixture
def one_thread():
    """The kernels and the peers use one thread each."""
    import numba
    import torch

    before = numba.get_num_threads(), torch.get_num_threads()
    numba.set_num_threads(1)
    torch.set_num_threads(1)
    yield
    numba.set_num_threads(before[0])
    torch.set_num_threads(before[1])
