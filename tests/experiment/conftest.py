"""Runs without figures, where a test looks at numbers only."""

import pytest

from tests.experiment.tiny import write_tables_only


@pytest.fixture
def tables_only(monkeypatch):
    """Write leaderboard.json and no figure."""
    write_tables_only(monkeypatch)
