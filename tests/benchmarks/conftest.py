"""What all benchmarks share: the machine's description, and kernels compiled beforehand."""

import os
import sys
from importlib.metadata import version

import pytest

from tests.benchmarks.child import measure

PACKAGES = ("numpy", "numba", "polars", "scipy", "torch", "igraph")


def pytest_benchmark_update_machine_info(config, machine_info):
    """Add what the numbers depend on."""
    machine_info["cores"] = len(os.sched_getaffinity(0))
    machine_info["memory_gb"] = round(
        os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    )
    machine_info["versions"] = {name: version(name) for name in PACKAGES}


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
