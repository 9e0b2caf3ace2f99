"""The thorough check, and the numbers of a store."""

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.durable.auditing import problems
from hebb_lab.memory.durable.counting import counted
from tests.memory.journals import CHANGES, filled
from tests.memory.made import made_added, made_edges, made_tombstones


def test_a_store_in_use_has_no_problem(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    for change in CHANGES:
        journal.commit(change)
        assert problems(tmp_path) == []


def test_what_belongs_to_nothing_is_counted(tmp_path):
    journal = DurableJournal.open(tmp_path, 4)
    added = made_added(9)
    keys = added.ids.to_bytes()
    journal.commit(
        Change(
            1, added=added, edges=made_edges([(b"\0" * 16, keys[0]), (keys[0], b"\0" * 16)]),
            tombstones=made_tombstones(added.ids[:2]),
        )
    )  # fmt: skip
    assert problems(tmp_path) == [
        "1 edges start at a memory that is not there",
        "2 memories have a tombstone and are still there",
    ]
    assert len(problems(tmp_path, dangling_edges="refuse")) == 3
    journal._db.execute("DELETE FROM memories WHERE place = 9")
    assert "1 texts belong to no memory" in problems(tmp_path)
    assert "1 of 9 memories are missing" in problems(tmp_path)


def test_an_index_that_does_not_fit_its_table_is_found(tmp_path):
    filled("durable", tmp_path).close()
    journal = DurableJournal.open(tmp_path)
    db = journal._db
    (root,) = db.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'edges_by_target'"
    ).fetchone()
    journal.close()
    data = bytearray((tmp_path / schema.DATABASE).read_bytes())
    page = slice((root - 1) * schema.PAGE_BYTES, root * schema.PAGE_BYTES)
    data[page] = data[page].replace(b"\xff" * 16, b"\xfe" * 16)
    (tmp_path / schema.DATABASE).write_bytes(data)
    assert any("edges_by_target" in one for one in problems(tmp_path))


def test_a_mark_that_is_missing_is_told(tmp_path):
    filled("durable", tmp_path).close()
    (tmp_path / "acknowledged").unlink()
    assert problems(tmp_path) == [
        "the mark of acknowledged commits is missing, so commits may be too"
    ]
    assert DurableJournal.open(tmp_path, mode="read").check() == problems(tmp_path)
    DurableJournal.open(tmp_path).close()  # it is made anew
    assert problems(tmp_path) == []


def test_no_store_is_a_problem_by_name(tmp_path):
    assert problems(tmp_path) != []


def test_a_store_is_counted_by_kind_and_by_entity(tmp_path):
    journal = filled("durable", tmp_path)
    counts = counted(tmp_path)
    assert sum(counts.kinds.values()) == journal.facts["memories"] == 52
    assert sum(count for _, count in counts.entities) == 52
    assert counts.entity_count == 3
    assert (counts.version, counts.edges, counts.tombstones) == (2, 4, 2)
