"""Connections and transactions."""

import sqlite3

import pytest

from hebb_lab.memory.durable.files.connecting import Transaction, connected, moment, readable
from tests.memory.journals import filled


def test_a_transaction_is_kept_whole_or_undone_whole(tmp_path):
    db = connected(tmp_path, "rwc")
    with Transaction(db):
        db.execute("CREATE TABLE kept (it)")

    def fail():
        db.execute("CREATE TABLE undone (it)")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), Transaction(db):
        fail()
    assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [(b"kept",)]
    assert not db.in_transaction


def test_a_connection_that_reads_cannot_write(tmp_path):
    filled("durable", tmp_path).close()
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        readable(tmp_path).execute("DELETE FROM memories")


def test_no_database_is_made_by_looking(tmp_path):
    for access in ("ro", "rw", "alone"):
        with pytest.raises(sqlite3.OperationalError):
            connected(tmp_path, access).execute("SELECT 1 FROM sqlite_schema")
    assert list(tmp_path.iterdir()) == []


def test_a_moment_is_read_whole_whatever_is_written_meanwhile(tmp_path):
    filled("durable", tmp_path).close()
    reader, writer = readable(tmp_path), connected(tmp_path, "rw")
    with moment(reader):
        before = reader.execute("SELECT count(*) FROM memories").fetchone()
        writer.execute("DELETE FROM memories")
        assert reader.execute("SELECT count(*) FROM memories").fetchone() == before
    assert reader.execute("SELECT count(*) FROM memories").fetchone() == (0,)
