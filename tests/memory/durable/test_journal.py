"""The journal in a file: what it acknowledges, who may open it, how it fails."""

import logging
import sqlite3
import subprocess
import sys
import threading

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory.changes import Change, Updated
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.errors import (
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from tests.memory.journals import CHANGES, FIRST, filled
from tests.memory.made import held, made_added


def opened(folder, **how):
    return DurableJournal.open(folder, **how)


@pytest.mark.parametrize("durability", ["full", "normal"])
def test_what_was_committed_is_there_when_it_is_opened_again(tmp_path, durability):
    journal = DurableJournal.open(tmp_path, 4, durability=durability)
    for change in CHANGES:
        journal.commit(change)
    before, facts = held(journal), dict(journal.facts)
    journal.close()
    again = opened(tmp_path)
    assert held(again) == before
    assert dict(again.facts) == facts
    assert again.dimensions == 4
    assert again.losses == again.unfinished == ()


def test_what_was_committed_is_there_without_a_close(tmp_path):
    program = (
        "import os, sys; from tests.memory.journals import filled; filled('durable', sys.argv[1]);"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert held(opened(tmp_path)) == held(filled("volatile", None))


def test_each_commit_sets_the_mark_before_it_returns(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    marks = [Mark(tmp_path).read()]
    for change in CHANGES[:3]:
        journal.commit(change)
        marks.append(Mark(tmp_path).read())
    assert marks == [0, 1, 2, 3]


def test_a_mark_that_cannot_be_written_does_not_undo_the_commit(tmp_path, monkeypatch, caplog):
    journal = DurableJournal.open(tmp_path, 4)

    def failing(_self, _sequence):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Mark, "write", failing)
    journal.commit(CHANGES[0])
    assert "mark" in caplog.text
    monkeypatch.undo()
    journal.close()
    assert len(held(opened(tmp_path))["memories"]) == 40
    assert Mark(tmp_path).read() == 1


def test_a_second_writer_is_refused_by_name_and_may_come_when_the_first_has_closed(tmp_path):
    first = filled("durable", tmp_path)
    with pytest.raises(StoreBusyError, match=str(tmp_path)):
        opened(tmp_path)
    first.close()
    opened(tmp_path).close()


def test_a_writer_in_another_process_is_refused_too(tmp_path):
    held_open = filled("durable", tmp_path)
    program = (
        "import sys\n"
        "from hebb_lab.memory.durable import DurableJournal\n"
        "from hebb_lab.memory.errors import StoreBusyError\n"
        "try:\n    DurableJournal.open(sys.argv[1])\n"
        "except StoreBusyError as error:\n    print('refused')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert found.stdout == "refused\n"
    held_open.close()


def test_readers_read_beside_a_writer_and_see_whole_changes(tmp_path):
    writer = filled("durable", tmp_path)
    readers = [opened(tmp_path, mode="read") for _ in range(3)]
    before = held(writer)
    assert [held(reader) for reader in readers] == [before] * 3
    writer.commit(Change(30, added=made_added(2, seed=9)))
    assert all(reader.changed() for reader in readers)
    assert held(readers[0]) == held(writer) != before
    assert not readers[0].changed()
    assert readers[1].changed()
    assert readers[0].facts["sequence"] == writer.facts["sequence"]
    assert not writer.changed()


def test_a_load_is_of_one_moment_whatever_a_writer_does_meanwhile(tmp_path):
    writer = DurableJournal.open(tmp_path, 4)
    writer.commit(Change(1, added=made_added(20_000)))
    reader = opened(tmp_path, mode="read")
    loading = reader.load()
    blocks = [next(loading)]
    ids = blocks[0].added.ids
    writer.commit(Change(2, updated=(Updated(ids, {"clock": np.ones(len(ids), np.int32)}),),
                         forgotten=ids[:10]))  # fmt: skip
    blocks += list(loading)
    assert sum(len(block.added.ids) for block in blocks if block.added) == 20_000
    assert reader.changed()
    assert len(held(reader)["memories"]) == 19_990


def test_a_reader_may_not_write(tmp_path):
    filled("durable", tmp_path).close()
    reader = opened(tmp_path, mode="read")
    for write in (lambda: reader.commit(CHANGES[0]), reader.compact):
        with pytest.raises(StoreReadOnlyError, match=str(tmp_path)):
            write()


def test_a_full_disk_keeps_nothing_of_the_change_and_leaves_the_store_in_use(tmp_path):
    journal = filled("durable", tmp_path)
    before = held(journal)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    many = Change(50, added=made_added(3000, seed=4))
    with pytest.raises(StoreFullError, match=str(tmp_path)):
        journal.commit(many)
    assert held(journal) == before
    journal.commit(Change(51, forgotten=FIRST.ids[20:22]))
    journal._db.execute("PRAGMA max_page_count = 1000000")
    journal.commit(many)
    assert journal.check() == []


def test_another_program_that_holds_the_database_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("hebb_lab.memory.durable.files.connecting.WAIT_S", 0.01)
    journal = DurableJournal.open(tmp_path, 4)
    other = sqlite3.connect(tmp_path / "memories.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal._db.execute("PRAGMA busy_timeout = 10")
    with pytest.raises(StoreBusyError):
        journal.commit(CHANGES[0])
    other.execute("ROLLBACK")
    journal.commit(CHANGES[0])
    assert len(held(journal)["memories"]) == 40


def test_a_text_that_is_no_unicode_keeps_nothing(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(2)
    texts = added.texts._replace(contents=["whole", "half \ud800"])
    with pytest.raises(StoreError, match="surrogate"):
        journal.commit(Change(1, added=added._replace(texts=texts)))
    assert list(journal.load()) == []


def test_a_closed_journal_says_so_by_name(tmp_path):
    journal = filled("durable", tmp_path)
    journal.close()
    journal.close()
    with pytest.raises(StoreError):
        journal.commit(CHANGES[0])
    with pytest.raises(StoreError):
        journal.contents(FIRST.ids[1:2])


def test_an_interrupted_commit_keeps_nothing(tmp_path, monkeypatch):
    journal = filled("durable", tmp_path)
    before = held(journal)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("hebb_lab.memory.durable.rows.writing._note", interrupted)
    with pytest.raises(KeyboardInterrupt):
        journal.commit(Change(60, added=made_added(5, seed=3)))
    monkeypatch.undo()
    assert held(journal) == before
    journal.commit(Change(61, added=made_added(5, seed=3)))


def test_it_can_be_handed_to_another_thread(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    thread = threading.Thread(target=journal.commit, args=[CHANGES[0]])
    thread.start()
    thread.join()
    assert len(held(journal)["memories"]) == 40


def test_its_bytes_are_those_of_all_files(tmp_path):
    journal = filled("durable", tmp_path)
    assert journal.byte_count() == sum(file.stat().st_size for file in tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"mode": "append"}, {"damaged": "mend"}, {"durability": "no"}])
def test_an_unknown_choice_lists_the_choices(tmp_path, wrong):
    with pytest.raises(ConfigError, match=" or "):
        DurableJournal.open(tmp_path, 4, **wrong)
    assert list(tmp_path.iterdir()) == []


def test_no_log_of_a_commit_says_what_a_memory_says(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    filled("durable", tmp_path)
    assert "memory 0-" not in caplog.text
