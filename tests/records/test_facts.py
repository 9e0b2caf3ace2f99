"""Facts read of a log."""

from dataclasses import replace

import numpy as np
import polars as pl

from hebb_lab.records import CoActivations
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


def test_the_size_of_a_window_is_a_difference_of_pointers():
    empty = np.zeros(0, np.int32)
    windows = CoActivations(
        (), (), (), empty, empty, np.array([0, 2, 3]), np.array([4, 1, 0]),
        empty.astype(np.float32), empty,
    )  # fmt: skip
    assert windows.sizes().tolist() == [2, 1]
