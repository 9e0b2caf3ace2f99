"""A small store to listen to: words are axes, so that a text's vector can be seen from it."""

import threading

import numpy as np

from hebb_lab.memory.changes import Change, Updated
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.subscription import Subscriptions
from tests.memory.reflection.made import World

WORDS = ("sail", "island", "rain", "bread", "oven", "violin", "concert", "glacier")
SECOND = 1_000_000


def vector_of(text):
    """The direction of the words that a text has, each an axis."""
    words = text.lower().replace(".", " ").split()
    made = np.array([sum(w.startswith(axis) for w in words) for axis in WORDS], np.float32)
    return made / max(np.linalg.norm(made), 1e-9)


class Store(World):
    """What subscriptions need of a store, with texts instead of vectors."""

    def __init__(self, rules=DOCUMENTED, **switches):
        super().__init__(len(WORDS), rules.change(**switches))
        self.subscriptions = Subscriptions()
        self.embedder = "words"
        self.lock = threading.RLock()
        self.asked = []

    def embed(self, texts):
        self.asked.append(list(texts))
        return np.stack([vector_of(text) for text in texts])

    def subscribe(self, **wanted):
        return self.subscriptions.open(self, **wanted)

    def commit(self, change):
        rows = super().commit(change)
        self.subscriptions.meet(change.at_us)
        return rows

    def say(self, *contents, at=None, entity=None, **columns):
        """Memories, a second apart; their rows."""
        start = self.state.clock_us + SECOND if at is None else at * SECOND
        vectors = np.stack([vector_of(content) for content in contents])
        entities = [entity] * len(contents)
        return self.add(
            vectors, contents=list(contents), entities=entities, start_us=start, **columns
        )

    def forget(self, *rows):
        ids = self.state.ids_of(np.array(rows))
        self.commit(Change(self.state.clock_us, forgotten=ids))

    def set(self, row, **columns):
        ids = self.state.ids_of(np.array([row]))
        values = {name: np.array([value]) for name, value in columns.items()}
        self.commit(Change(self.state.clock_us, updated=(Updated(ids, values),)))


def said(pushes):
    """What was pushed."""
    return [push.content for push in pushes]


def hears(subscription, text, at):
    """What a text alone pushes."""
    subscription.feed(text, at * SECOND)
    subscription.flush(at * SECOND)
    return said(subscription.drain())
