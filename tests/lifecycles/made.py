"""Small stories whose answers are known."""

from __future__ import annotations

import numpy as np

from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings
from hebb_lab.lifecycles.replay.story import DAY_US, Asked, Event, Items, Practised, Story, Written
from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.vectors import embed
from hebb_lab.records import Dataset
from tests.corpora.made import corpus
from tests.experiment.tiny import composed

START_US = 20_000 * DAY_US


def vectors(texts):
    """Unit vectors of hashed words."""
    return embed(HashingEmbedder(), texts, None)


def prepared_log(log, *overrides):
    """A log made by hand, and the settings of a run on it."""
    settings = Settings.from_mapping(composed("+exp=memory", "dataset=auto", *overrides))
    return prepare(Dataset("made", log), settings.dataset, learners="memory"), settings


def prepared_corpus(folder, *overrides):
    """A corpus on the disk, and the settings of a run on it."""
    settings = Settings.from_mapping(
        composed("+exp=memory", "dataset=corpus", f"dataset.path={folder}", *overrides)
    )
    return prepare(load(settings.dataset, None), settings.dataset, learners="memory"), settings


def write_corpus(folder, count=24, clusters=4, *, dated=True):
    """Numbers in words a day apart; question i asks for document i, each at a time or after all."""
    folder.mkdir(exist_ok=True)
    day = 86_400
    documents = [
        {"_id": f"m{i:02d}", "text": f"number n{i:02d} of the list", "session": f"s{i // 6}",
         "time": 1_750_000_000 + i * day}
        for i in range(count)
    ]  # fmt: skip
    questions = [
        {"_id": f"q{i:02d}", "text": f"which number n{i:02d}", "sessionId": f"g{i % clusters}",
         **({"time": 1_750_000_000 + count * day // 2 + (count // 2 + i) * day} if dated else {})}
        for i in range(count)
    ]  # fmt: skip
    qrels = "query-id\tcorpus-id\tscore\n" + "".join(
        f"q{i:02d}\tm{i:02d}\t1\n" for i in range(count)
    )
    return corpus(folder, documents, questions, qrels)


def items(count=6, *, ties=None, entities=None, step_us=DAY_US):
    """Items with orthogonal vectors, a day apart; item i is node i."""
    return Items(
        np.arange(count, dtype=np.int32),
        [f"item {i}" for i in range(count)],
        np.eye(count, max(count, 8), dtype=np.float32),
        np.full(count, 0.5, np.float32),
        ["e"] * count if entities is None else entities,
        START_US + np.arange(count, dtype=np.int64) * step_us,
        ties or {},
    )


def asked(own, wanted, times, name="q", seeds=None):
    """Questions for items by their own vectors, at times; each in a cluster of its own."""
    count = len(wanted)
    return Asked(
        [f"{name}{i}" for i in range(count)],
        [own.contents[item] for item in wanted],
        own.vectors[list(wanted)] if count else np.zeros((0, own.vectors.shape[1]), np.float32),
        ["e"] * count,
        np.array([-1] * count if seeds is None else seeds, np.int64),
        np.array(times, np.int64),
        [np.zeros(0, np.int32)] * count,
        [np.array([item], np.int64) for item in wanted],
        [f"g{i}" for i in range(count)],
    )


def story(own, exam=None, practice=None, events=None, steps=None, edited=0, ordered=True):
    """A story that writes everything, then practises; the exam is where it is asked."""
    none = asked(own, [], [])
    practice = practice or none
    practised = [Event(int(at), Practised(row)) for row, at in enumerate(practice.time_us.tolist())]
    happens = [Event(int(own.time_us[0]), Written(0, len(own))), *practised]
    return Story(
        own, happens if events is None else events, exam or none, practice, steps, edited=edited,
        ordered=ordered,
    )  # fmt: skip
