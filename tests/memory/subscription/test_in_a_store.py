"""Subscriptions of real stores: changes reach them, and closing and reading anew do too."""

import numpy as np
import pytest

from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.subscription import stream
from hebb_lab.memory.values import Draft, Kind
from hebb_lab.recall.embedders import HashingEmbedder
from tests.memory.subscription.made import SECOND

EAST, NORTH = np.float32([1, 0]), np.float32([0, 1])


def test_what_is_remembered_revised_and_reflected_on_is_pushed_as_it_comes():
    with MemoryStore.in_memory(2, rng=np.random.default_rng(1)) as store:
        subscription = store.subscribe()
        subscription.feed_vector(EAST, SECOND)
        first = store.remember(Draft("rain", vector=EAST), 2 * SECOND)[0]
        store.remember(Draft("sun", vector=NORTH), 2 * SECOND)
        newer = store.revise(first, 3 * SECOND, content="snow", vector=EAST)
        store.remember([Draft("hail fell", vector=EAST)] * 5, 4 * SECOND)
        store.reflect(5 * SECOND)
        pushes = list(subscription)
        assert [push.content for push in pushes] == ["snow", *["hail fell"] * 6]
        assert pushes[0].id == newer
        assert pushes[-1].kind == Kind.INSIGHT
        assert subscription.counts.gone == 1  # what was revised before it was taken


def test_pushes_reinforce_nothing_in_a_store_that_reinforces_what_it_recalls():
    with MemoryStore.in_memory(2) as store:
        ids = store.remember(Draft("rain", vector=EAST), SECOND)
        subscription = store.subscribe()
        subscription.feed_vector(EAST, 9 * SECOND)
        assert len(subscription.drain()) == 1
        assert store.get(ids)[0].access_count == 0
        assert store.get(ids)[0].accessed_us == SECOND


def test_a_forgotten_memory_is_not_handed_out():
    with MemoryStore.in_memory(2) as store:
        ids = store.remember(Draft("rain", vector=EAST), SECOND)
        subscription = store.subscribe()
        subscription.feed_vector(EAST, 2 * SECOND)
        store.forget(ids, 3 * SECOND)
        assert subscription.drain() == []


def test_a_reader_hears_of_what_a_writer_wrote_when_it_reads_anew(tmp_path):
    with MemoryStore.open(tmp_path / "store", dimensions=2) as writer:
        writer.remember(Draft("rain", vector=EAST), SECOND)
        with MemoryStore.open(tmp_path / "store", mode="read") as reader:
            subscription = reader.subscribe()
            subscription.feed_vector(EAST, 2 * SECOND)
            assert [push.content for push in subscription] == ["rain"]
            writer.remember([Draft("snow", vector=EAST), Draft("sun", vector=NORTH)], 3 * SECOND)
            assert list(subscription) == []
            reader.refresh()
            assert [(push.content, push.arrived) for push in subscription] == [("snow", True)]


def test_a_store_that_is_closed_closes_its_subscriptions():
    with MemoryStore.in_memory(2) as store:
        subscription = store.subscribe()
    assert subscription.closed
    with pytest.raises(StoreError, match="closed"):
        subscription.tick(SECOND)


def test_text_streams_through_the_embedder_of_the_store():
    embedder = HashingEmbedder()
    dimensions = embedder.encode(["x"]).shape[1]
    with MemoryStore.in_memory(dimensions, embedder=embedder) as store:
        store.remember([Draft("bread in the oven"), Draft("a violin concert")], SECOND)
        told = [(2 * SECOND, "fresh bread in the oven"), (3 * SECOND, "nothing of this sort here")]
        pushes = list(stream(store, told, threshold=0.5))
        assert [push.content for push in pushes] == ["bread in the oven"]
