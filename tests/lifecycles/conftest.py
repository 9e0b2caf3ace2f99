"""One finished run for all tests that read it."""

import pytest

from hebb_lab.experiment.execute import execute
from hebb_lab.experiment.settings import Settings
from hebb_lab.runs import read_run
from tests.experiment.tiny import composed

OWN = "+memory.arms={mine: {strategies: [causal], rules: {causal: both}, about: my own}}"


@pytest.fixture(scope="session")
def stored_run(tmp_path_factory):
    """The small diary under every family of arms, with its report."""
    runs = tmp_path_factory.mktemp("memory")
    config = composed(
        "+exp=memory", "debug=tiny", "recall.embedder=hashing", f"paths.runs={runs}", OWN,
        "runtime.progress=false",
    )  # fmt: skip
    return read_run(execute(Settings.from_mapping(config), config).folder)
