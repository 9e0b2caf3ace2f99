"""Fixtures for all tests."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real logs and benchmarks beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real logs are not here: ../shared/data is absent")
    return SHARED_DATA
