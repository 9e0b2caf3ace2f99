"""Facts read of a log."""

from dataclasses import replace

import numpy as np
import polars as pl

from hebb_lab.records import (
    Activity,
    CoActivations,
    Dataset,
    EdgeTruth,
    Memories,
    QuestionCues,
    Questions,
)
from tests.made_logs import reads


def test_the_same_events_have_the_same_hash_wherever_their_files_lie():
    log = reads("s.1:a s.1:b")
    moved = log.events.with_columns(file=pl.lit("elsewhere"), line=pl.lit(9), byte=pl.lit(7))
    assert replace(log, events=moved).sha256() == log.sha256()
    for column, value in [("node", "z"), ("turn", 4), ("session", "t"), ("ok", False)]:
        kind = log.events.schema[column]
        other = log.events.with_columns(pl.lit(value).cast(kind).alias(column))
        assert replace(log, events=other).sha256() != log.sha256()


def test_a_null_is_not_an_empty_text():
    log = reads("s.1:a")
    empty = log.events.with_columns(query=pl.lit(""))
    assert replace(log, events=empty).sha256() != log.sha256()


ASKED = Questions(("q",), ("who?",), (None,), ("q",), ((("a",), (1,)),))
WRITTEN = Memories.plain(("a",), ("x",), np.zeros(1, np.int64), np.zeros(1, np.int32), ("s",))


def test_a_log_alone_has_the_hash_of_its_events():
    log = reads("s.1:a s.1:b")
    assert Dataset("one", log).sha256() == Dataset("other", log).sha256() == log.sha256()
    # This very value names the runs that were published: a change of it makes them all anew.
    known = "bac4e5e776af9d5e54e80e65a96c1d742c1f869004f3b60646e67f9892221e96"
    assert log.sha256() == known


def test_what_is_true_of_the_edges_is_not_part_of_the_hash():
    log = reads("s.1:a s.1:b")
    one, activity = np.ones(1), Activity(np.array([0, 9]), np.ones(1))
    pairs = np.array([[0, 1]], np.int32)
    truth = EdgeTruth(("a", "b"), pairs, one, one, one, "none", 0.5, 0.5, activity)
    assert Dataset("one", log, edges=truth).sha256() == log.sha256()


def test_the_hash_of_a_dataset_holds_its_texts_and_what_it_is_asked():
    log = reads("s.1:a s.1:b")
    datasets = [
        Dataset("d", log),
        Dataset("d", log, {"a": "x"}),
        Dataset("d", log, {"a": "y"}),
        Dataset("d", log, {"b": "x"}),
        Dataset("d", log, {"a": "x", "b": ""}),
        Dataset("d", log, {"a": "x"}, questions=ASKED),
        *(
            Dataset("d", log, {"a": "x"}, questions=replace(ASKED, **change))
            for change in (
                {"ids": ("r",)}, {"texts": ("why?",)}, {"time_us": (7,)}, {"group": ("g",)},
                {"gold": ((("b",), (1,)),)}, {"gold": ((("a",), (2,)),)}, {"strays": 1},
                {"category": ("kind",)}, {"cues": (QuestionCues("s"),)},
                {"corrected": ASKED.gold},
            )
        ),
        Dataset("d", log, {"a": "x"}, questions=ASKED, memories=WRITTEN),
        Dataset("d", log, memories=WRITTEN),
        Dataset("d", log, memories=replace(WRITTEN, texts=("z",))),
    ]  # fmt: skip
    hashes = [dataset.sha256() for dataset in datasets]
    assert len(set(hashes)) == len(datasets)
    assert hashes == [dataset.sha256() for dataset in datasets]
    assert Dataset("d", log, {"b": "y", "a": "x"}).sha256() == (
        Dataset("d", log, {"a": "x", "b": "y"}).sha256()
    )


def test_the_length_of_questions_is_their_number():
    assert len(ASKED) == 1


def test_the_size_of_a_window_is_a_difference_of_pointers():
    empty = np.zeros(0, np.int32)
    windows = CoActivations(
        (), (), (), empty, empty, np.array([0, 2, 3]), np.array([4, 1, 0]),
        empty.astype(np.float32), empty,
    )  # fmt: skip
    assert windows.sizes().tolist() == [2, 1]
