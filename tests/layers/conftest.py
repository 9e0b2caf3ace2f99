"""One finished run for all tests that read it."""

import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.layers.report.write import write_run
from tests.layers.made import finished, work_on, write_corpus

FAILS = {"dense": MissingExtraError("no vectors", "Install"), "hybrid": ValueError("boom")}
OWN = {"arms": {"mine": {"layers": ["chain"], "start": "tuned", "about": "my own"}}}


@pytest.fixture(scope="session")
def stored_run(tmp_path_factory):
    """A finished run whose chain finds the second gold of each question; with its report."""
    folder = tmp_path_factory.mktemp("layers")
    work = work_on(write_corpus(folder / "corpus"), fails=FAILS, cognitive=OWN)
    run, _ = finished(folder / "layers" / "abc", work)
    write_run(run, run.folder)
    return run
