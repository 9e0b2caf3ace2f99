"""Fits as a run makes them."""

import pytest

from tests.halflife.fits import one_thread


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    with one_thread():
        yield
