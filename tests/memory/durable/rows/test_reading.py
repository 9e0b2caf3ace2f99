"""Rows that are not what was written are told of, whatever became of them."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from hebb_lab.memory.changes import Change, Updated
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.errors import DamagedStoreError
from hebb_lab.memory.ids import Ids
from tests.memory.journals import filled
from tests.memory.made import held

# An alteration of the database that SQLite finds nothing wrong with.
ALTERED = {
    "a number": "UPDATE memories SET numbers = x'01' || substr(numbers, 2) WHERE place = 3",
    "a number too few": "UPDATE memories SET numbers = substr(numbers, 2) WHERE place = 3",
    "numbers that are a text": "UPDATE memories SET numbers = 'x' WHERE place = 3",
    "numbers that are one number": "UPDATE memories SET numbers = 7 WHERE place = 3",
    "a place that is a text": "UPDATE memories SET place = 'x' WHERE place = 3",
    "a memory that points to another's text": "UPDATE memories SET place = 4 WHERE place = 3",
    "a memory whose text is gone": "DELETE FROM texts WHERE place = 3",
    "a text that was emptied": "UPDATE texts SET content = NULL WHERE place = 3",
    "a text": "UPDATE texts SET content = 'x' WHERE place = 3",
    "a context": "UPDATE texts SET context = '{}1' WHERE place = 3",
    "an entity": "UPDATE texts SET entity = 'other' WHERE place = 3",
    "a vector": "UPDATE texts SET vector = zeroblob(16) WHERE place = 3",
    "a short vector": "UPDATE texts SET vector = x'00' WHERE place = 3",
    "a vector that is a number": "UPDATE texts SET vector = 7 WHERE place = 3",
    "a memory that is gone": "DELETE FROM memories WHERE place = 3",
    "an id that is too short": "UPDATE memories SET id = x'00' WHERE place = 3",
    "an edge": "UPDATE edges SET confidence = 0.3",
    "an edge to no id": "UPDATE edges SET target = x'00' || target",
    "an edge of a kind that is a text": "UPDATE edges SET kind = 'x' || rowid",
    "a tombstone": "UPDATE tombstones SET reason = 'other'",
    "a tombstone's time": "UPDATE tombstones SET time_us = 'x'",
    "a fact": "UPDATE facts SET value = '5' WHERE name = 'cursor'",
    "the time of the last change": "UPDATE facts SET value = '5' WHERE name = 'clock_us'",
    "the time of the last change is gone": "DELETE FROM facts WHERE name = 'clock_us'",
    "the count of memories": "DELETE FROM facts WHERE name = 'memories'",
}


@pytest.mark.parametrize("statement", ALTERED.values(), ids=ALTERED.keys())
def test_an_altered_row_is_refused_and_left_out_where_the_rest_is_kept(tmp_path, statement):
    journal = filled("durable", tmp_path)
    whole = held(journal)
    journal.close()
    with closing(sqlite3.connect(tmp_path / schema.DATABASE)) as db:
        db.execute(statement)
        db.commit()
    with pytest.raises(DamagedStoreError, match="salvage"):
        list(DurableJournal.open(tmp_path, mode="read").load())
    keeping = DurableJournal.open(tmp_path, mode="read", damaged="keep")
    kept = held(keeping)
    assert keeping.losses
    assert keeping.check()
    assert kept["memories"].items() <= whole["memories"].items()
    assert len(kept["memories"]) >= 51
    assert set(kept["edges"]) <= set(whole["edges"])
    assert set(kept["stones"]) <= set(whole["stones"])
    assert kept["facts"].items() <= whole["facts"].items()


def test_a_journal_that_keeps_is_written_to_and_read_again(tmp_path):
    filled("durable", tmp_path).close()
    with closing(sqlite3.connect(tmp_path / schema.DATABASE)) as db:
        db.execute(ALTERED["the count of memories"])
        db.commit()
    keeping = DurableJournal.open(tmp_path, damaged="keep")
    assert keeping.facts["memories"] == 52
    keeping.close()


def test_numbers_that_are_altered_are_not_written_anew_as_if_they_were_right(tmp_path):
    journal = filled("durable", tmp_path)
    journal._db.execute(ALTERED["a number"])
    ids = Ids.from_bytes([sorted(held(filled("volatile", None))["memories"])[1]])
    with pytest.raises(DamagedStoreError, match=f"{ids[0]}.*salvage {tmp_path} OUT"):
        journal.commit(Change(90, updated=(Updated(ids, {"stale": np.ones(1, bool)}),)))
