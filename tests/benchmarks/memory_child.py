"""`python -m tests.benchmarks.memory_child write|read FOLDER COUNT`: a durable store and its cost.

``write`` remembers so many memories; ``read`` opens that store and asks it. Both print JSON.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from hebb_lab.memory.store import MemoryStore
from hebb_lab.memory.values import Cues
from tests.benchmarks.memory_world import WIDTH, asked_of, batches

QUERIES, K, ROUNDS = 256, 10, 5
DAY_US = 86_400_000_000


def timed(work):
    """(seconds, answer)."""
    began = time.perf_counter()
    answer = work()
    return time.perf_counter() - began, answer


def write(folder, count):
    """Seconds that remembering takes, batch by batch; what is remembered is made beforehand."""
    with MemoryStore.open(folder, dimensions=WIDTH, rng=np.random.default_rng(0)) as store:

        def remember(batch):
            return timed(lambda: store.remember(batch, int(batch.time_us[-1])))[0]

        seconds = [remember(batch) for batch in batches(count)]
    return {"remember": seconds, "disk": sum(f.stat().st_size for f in Path(folder).iterdir())}


def read(folder, count):
    """Seconds of opening, and of each round of recalling and sweeping; bytes of the state."""
    warm_up()
    opening, store = timed(lambda: MemoryStore.open(folder, mode="read"))
    cues, at_us = Cues(vectors=asked_of(count, QUERIES)), count * 1_000_000 + DAY_US
    rounds = range(ROUNDS + 1)  # the first does not count
    recall = [timed(lambda: store.recall(cues, at_us, k=K))[0] for _ in rounds]
    sweep = [timed(lambda: store.sweep(at_us))[0] for _ in rounds]
    assert store.state.count == count
    held, vectors = store.state.byte_count(), store.state.vectors.byte_count()
    return {"open": opening, "recall": recall[1:], "sweep": sweep[1:], "state": held,
            "beside_vectors": held - vectors}  # fmt: skip


def warm_up():
    """What is imported or compiled on first use."""
    store = MemoryStore.in_memory(WIDTH, rng=np.random.default_rng(0))
    batch = next(batches(100))
    store.remember(batch, int(batch.time_us[-1]))
    store.recall(Cues(vectors=asked_of(100, 2)), DAY_US, k=K)
    store.sweep(DAY_US)


if __name__ == "__main__":
    made = {"write": write, "read": read}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
    sys.stdout.write(json.dumps(made) + "\n")
