"""Halving by itself; what Backend does with it is in test_backend."""

import logging

import pytest

from hebb_lab.kernels.arrays import nothing_found
from hebb_lab.kernels.memory import in_halves
from tests.kernels.logs import START_US, asked

QUERIES = asked(*((START_US + i, [], []) for i in range(5)))


@pytest.mark.parametrize(("room", "sizes"), [(5, [5]), (4, [5, 3, 2]), (1, [5, 3, 2, *[1] * 5])])
def test_walks_are_halved_until_they_fit(room, sizes, caplog):
    tried = []

    def walk(part):
        tried.append(len(part.time))
        if tried[-1] > room:
            raise MemoryError
        found = nothing_found(1, tried[-1], 2)
        found.ids[0, :, 0] = part.time - START_US
        return found

    with caplog.at_level(logging.WARNING):
        found = in_halves("mine", QUERIES, 1, 2, walk)
    assert tried == sizes
    assert found.ids[0, :, 0].tolist() == [0, 1, 2, 3, 4]
    assert (f"mine: {sizes[-1]} queries at a time held" in caplog.text) == (room == 1)
