"""A writer of insights that would change the store it writes for."""

import numpy as np
import pytest

from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import Batch, Cues, Draft
from tests.memory.reflection.made import around, says

SECOND = 1_000_000


def made():
    store = MemoryStore.in_memory(8, rng=np.random.default_rng(2))
    contents = [f"episode {place} tells of it." for place in range(45)]
    return store, store.remember(Batch(contents, around(3, 15)), SECOND)


@pytest.mark.parametrize(
    "change",
    [
        lambda store, ids: store.remember(Draft("later"), 9 * SECOND),
        lambda store, ids: store.forget(ids, 9 * SECOND),
        lambda store, ids: store.reflect(9 * SECOND),
        lambda store, ids: store.recall(Cues(vectors=store.state.vectors.take([0])), 9 * SECOND),
    ],
)
def test_a_writer_of_insights_may_read_the_store_and_not_change_it(change):
    store, ids = made()
    raised = []

    def writer(sources):
        assert store.get(ids)[0].content
        try:
            change(store, ids)
        except StoreError as error:
            raised.append(str(error))
        return says()(sources)

    report = store.reflect(2 * SECOND, writer=writer)
    assert report.insights == len(raised) == 3
    assert all("may read the store, not change it" in said for said in raised)
    assert store.state.clock_us == 2 * SECOND
    assert len(store.get(ids)) == 45
    assert store.remember(Draft("later"), 3 * SECOND)


def test_a_writer_that_does_not_catch_its_error_fails_its_clusters_alone():
    store, ids = made()
    report = store.reflect(2 * SECOND, writer=lambda sources: store.forget(ids, 9 * SECOND))
    assert report.insights == 0
    assert ["StoreError" in failure.problem for failure in report.failures] == [True] * 3
    assert len(store.get(ids)) == 45
