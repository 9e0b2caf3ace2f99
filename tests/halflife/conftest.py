"""One small half-life run for all tests that look at what a run leaves."""

import pytest

from tests.halflife.small import small_run, write_tables_only


@pytest.fixture
def tables_only(monkeypatch):
    """Write tables and no figure."""
    write_tables_only(monkeypatch)


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """The folder of a small run, its tables written."""
    with pytest.MonkeyPatch.context() as patch:
        write_tables_only(patch)
        return small_run(tmp_path_factory.mktemp("halflife")).folder
