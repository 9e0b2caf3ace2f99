"""Runs without figures, where a test looks at numbers only."""

import pytest

from hebb_lab.experiment import execute
from hebb_lab.runs import rebuild


@pytest.fixture
def tables_only(monkeypatch):
    """Write leaderboard.json and no figure."""
    options = rebuild.Options(("json",))
    monkeypatch.setattr(
        execute, "write_run", lambda run, folder: rebuild.write_run(run, folder, options)
    )
