"""What was forgotten leaves every file of the store, also where no rewrite can be made."""

import random
import shutil
from collections import namedtuple

import pytest

from hebb_lab.memory.changes import Change, Rewritten
from hebb_lab.memory.durable import DurableJournal, schema, settling
from hebb_lab.memory.errors import StoreReadOnlyError
from hebb_lab.memory.ids import Ids
from tests.memory.journals import filled
from tests.memory.made import DAY_US, held, made_added, made_tombstones

WAL = f"{schema.DATABASE}-wal"


def raw(folder):
    return b"\n".join(file.read_bytes() for file in sorted(folder.iterdir()))


def said(added, word, rng):
    """The same memories with texts that can be sought for, some longer than a page."""
    count = len(added.ids)
    words = [f"{word}{place}q" for place in range(count)]
    fill = [rng.choice([0, 20, 400, 20_000 if place % 40 == 0 else 3]) for place in range(count)]
    texts = added.texts._replace(
        contents=[f"{one} {'y ' * size}" for one, size in zip(words, fill, strict=True)],
        contexts=[f'{{"key":"C{one}"}}' for one in words],
        entities=[f"E{one}" for one in words],
    )
    return added._replace(texts=texts)


def traces(texts, row):
    found = [texts.contents[row].split()[0], texts.contexts[row][8:-2], texts.entities[row]]
    vector = texts.vectors[row]
    return [one.encode() for one in found] + ([vector.tobytes()] if vector.any() else [])


@pytest.mark.parametrize("seed", range(2))
def test_nothing_forgotten_or_rewritten_is_left_in_any_file_without_a_rewrite(tmp_path, seed):
    rng = random.Random(seed)
    journal = DurableJournal.open(tmp_path, 32, durability="normal")
    alive, gone, last = {}, [], None
    for step in range(12):
        start_us = DAY_US * (step + 1)
        added = made_added(
            rng.choice([1, 60, 300]), seed=step, dimensions=32, last=last, start_us=start_us
        )
        added = said(added, f"s{step}x", rng)
        last = added.ids.array[-1]
        journal.commit(Change(step, added=added))
        alive |= {part: traces(added.texts, row) for row, part in enumerate(added.ids.to_bytes())}
        keys = rng.sample(sorted(alive), min(len(alive), rng.choice([1, 40, 250])))
        again = Ids.from_bytes(keys[::3])
        texts = said(made_added(len(again), seed=step + 50, dimensions=32), f"r{step}x", rng).texts
        journal.commit(Change(step, rewritten=Rewritten(again, texts)))
        for row, part in enumerate(again.to_bytes()):
            gone.append(alive[part])
            alive[part] = traces(texts, row)
        ids = Ids.from_bytes(keys)
        journal.commit(Change(step, forgotten=ids, tombstones=made_tombstones(ids)))
        gone += [alive.pop(part) for part in keys]
    assert journal.unfinished == ()
    bytes_now = raw(tmp_path)
    assert all(trace in bytes_now for row in alive.values() for trace in row)
    assert [trace for row in gone for trace in row if trace in bytes_now] == []


def test_the_wal_is_empty_after_a_forgetting(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(50)
    journal.commit(Change(1, added=added))
    assert added.texts.contents[3].encode() in (tmp_path / WAL).read_bytes()
    journal.commit(Change(2, forgotten=added.ids[3:4]))
    assert (tmp_path / WAL).stat().st_size == 0


def test_a_reader_that_holds_the_wal_is_told_of_and_waited_for(tmp_path, caplog):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(9000)
    word = added.texts.contents[5].encode()
    journal.commit(Change(1, added=added))
    loading = DurableJournal.open(tmp_path, mode="read").load()
    next(loading)
    journal.commit(Change(2, forgotten=added.ids[5:6]))
    assert any("a reader holds the WAL" in one for one in journal.unfinished)
    assert "a reader holds the WAL" in caplog.text
    assert word in raw(tmp_path)
    assert journal.check() == list(journal.unfinished)
    for _ in loading:
        pass
    journal.commit(Change(3, facts={"any": 1}))
    assert journal.unfinished == ()
    assert word not in raw(tmp_path)


def test_a_rewrite_beside_a_reader_is_settled_when_the_reader_has_gone(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    journal.commit(Change(1, added=made_added(9000)))
    loading = DurableJournal.open(tmp_path, mode="read").load()
    next(loading)
    journal.compact()
    assert len(journal.unfinished) == 1
    loading.close()
    journal.commit(Change(2, facts={"any": 1}))
    assert journal.unfinished == ()
    assert (tmp_path / WAL).stat().st_size == 0


def test_what_a_killed_process_left_in_the_wal_goes_when_it_is_opened(tmp_path, monkeypatch):
    journal = DurableJournal.open(tmp_path / "live", 4)
    added = made_added(50)
    journal.commit(Change(1, added=added))
    monkeypatch.setattr(settling, "settle", lambda _: None)  # killed before it
    journal.commit(Change(2, forgotten=added.ids[3:4]))
    monkeypatch.undo()
    shutil.copytree(tmp_path / "live", tmp_path / "left")
    word = added.texts.contents[3].encode()
    assert word in raw(tmp_path / "left")
    DurableJournal.open(tmp_path / "left")
    assert word not in raw(tmp_path / "left")


def test_a_compaction_takes_empty_rows_out_and_gives_room_back(tmp_path):
    journal = DurableJournal.open(tmp_path, 64)
    added = made_added(2000, dimensions=64)
    journal.commit(Change(1, added=added))
    journal.commit(Change(2, forgotten=added.ids[100:]))
    before, whole = journal.byte_count(), held(journal)
    journal.compact()
    assert journal.unfinished == ()
    assert journal.byte_count() < before / 4
    assert held(journal) == whole
    (rows,) = journal._db.execute("SELECT count(*) FROM texts").fetchone()
    assert rows == 100
    assert journal.check() == []


def test_without_room_for_a_rewrite_it_says_so_and_the_forgetting_is_complete(
    tmp_path, monkeypatch, caplog
):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(500)
    journal.commit(Change(1, added=added))
    free = namedtuple("free", "total used free")(10, 9, 1)
    monkeypatch.setattr(settling.shutil, "disk_usage", lambda _: free)
    journal.commit(Change(2, forgotten=added.ids[3:4]))
    journal.compact()
    assert "no room" in journal.unfinished[0]
    assert "no room" in caplog.text
    assert added.texts.contents[3].encode() not in raw(tmp_path)
    monkeypatch.undo()
    journal.compact()
    assert journal.unfinished == ()


def test_a_rewrite_that_fails_is_said_and_made_up_for_when_it_is_opened_again(tmp_path):
    journal = filled("durable", tmp_path)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    whole = held(journal)
    other = journal._db
    journal._connection = Failing(other)
    journal.compact()
    assert "could not be rewritten" in journal.unfinished[0]
    journal._connection = other
    assert settling.is_due(journal._db)
    assert held(journal) == whole
    assert "_" not in "".join(dict(journal.facts))[0]
    journal.close()
    again = DurableJournal.open(tmp_path)
    assert again.unfinished == ()
    assert not settling.is_due(again._db)
    assert held(again) == whole


class Failing:
    """A connection that has no room for VACUUM."""

    def __init__(self, db):
        self.db = db

    def execute(self, statement, *values):
        if statement == "VACUUM":
            self.db.execute("PRAGMA max_page_count = 1")
            self.db.execute("CREATE TABLE more (it)")
        return self.db.execute(statement, *values)

    def __getattr__(self, name):
        return getattr(self.db, name)


def test_a_settled_store_counts_what_is_kept_and_no_log(tmp_path):
    journal = filled("durable", tmp_path)
    assert (tmp_path / WAL).stat().st_size
    journal.settle()
    assert not (tmp_path / WAL).stat().st_size
    size = journal.byte_count()
    journal.settle()
    assert journal.byte_count() == size
    assert held(journal) == held(filled("volatile", None))
    with pytest.raises(StoreReadOnlyError):
        DurableJournal.open(tmp_path, mode="read").settle()
    memory = filled("volatile", None)
    size = memory.byte_count()
    memory.settle()
    assert memory.byte_count() == size
