"""Rows as they stand in the file."""

import numpy as np

from hebb_lab.memory.changes import Change, Rewritten, Updated
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.durable.rows import writing
from hebb_lab.memory.durable.rows.packing import SIZE
from tests.memory.made import held, made_added


def rows(journal, query):
    return journal._db.execute(query).fetchall()


def test_a_change_of_numbers_touches_no_text(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(30)
    journal.commit(Change(1, added=added))
    before = rows(journal, "SELECT * FROM texts")
    scores = np.full(30, 0.125, np.float32)
    journal.commit(Change(2, updated=(Updated(added.ids, {"decay_score": scores}),)))
    assert rows(journal, "SELECT * FROM texts") == before
    assert rows(journal, "SELECT DISTINCT length(numbers) FROM memories") == [(SIZE,)]
    assert {memory[6] for memory in held(journal)["memories"].values()} == {0.125}


def test_places_of_texts_only_grow_and_what_is_gone_leaves_an_empty_row(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(4)
    journal.commit(Change(1, added=added))
    journal.commit(Change(2, rewritten=Rewritten(added.ids[1:2], made_added(1, seed=2).texts)))
    journal.commit(Change(3, forgotten=added.ids[3:4]))
    journal.commit(Change(4, added=made_added(1, seed=5, last=added.ids.array[-1])))
    kept = rows(journal, "SELECT place, content IS NOT NULL, crc IS NOT NULL FROM texts")
    assert kept == [(1, 1, 1), (2, 0, 0), (3, 1, 1), (4, 0, 0), (5, 1, 1), (6, 1, 1)]
    assert writing.next_place(journal._db) == 7


def test_a_vector_of_zeros_takes_no_room(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    journal.commit(Change(1, added=made_added(5)))
    assert rows(journal, "SELECT vector IS NULL FROM texts") == [(0,), (0,), (0,), (0,), (1,)]


def test_minus_zero_is_kept_as_it_is(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(2)
    scalars = {**added.scalars, "importance": np.array([-0.0, 0.0], np.float32)}
    journal.commit(Change(1, added=added._replace(scalars=scalars)))
    kept = [memory[5] for memory in held(journal)["memories"].values()]
    assert np.signbit(kept).tolist() == [True, False]


def test_statements_take_what_memories_say_only_as_parameters(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    seen = []
    journal._db.set_trace_callback(seen.append)
    added = made_added(3)
    evil = "'); DROP TABLE memories; --"
    texts = added.texts._replace(contents=[evil] * 3, entities=[evil] * 3, contexts=['{"a":1}'] * 3)
    journal.commit(Change(1, added=added._replace(texts=texts), facts={evil: evil}))
    journal._db.set_trace_callback(None)
    assert held(journal)["facts"][evil] == evil
    assert journal.contents(added.ids) == [evil] * 3
