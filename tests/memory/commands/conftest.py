"""A store for the commands."""

import pytest

from tests.memory.journals import filled


@pytest.fixture
def store(tmp_path):
    filled("durable", tmp_path / "store").close()
    return tmp_path / "store"
