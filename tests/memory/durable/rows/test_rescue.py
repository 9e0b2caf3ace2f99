"""Rows behind a page that cannot be read are found."""

import shutil
from itertools import pairwise

import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.durable.rows import rescue
from hebb_lab.memory.errors import DamagedStoreError
from tests.memory.made import held, made_added, made_edges, made_tombstones


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    journal = DurableJournal.open(folder, 64)
    added = made_added(3000, dimensions=64)
    keys = added.ids.to_bytes()
    pairs = list(pairwise(keys))
    gone = made_added(500, seed=2, dimensions=64).ids
    journal.commit(
        Change(1, added=added, edges=made_edges(pairs), tombstones=made_tombstones(gone))
    )
    journal.close()
    return folder


@pytest.fixture
def store(made, tmp_path):
    return shutil.copytree(made, tmp_path / "store")


def leaf_pages(folder, table):
    """The pages of a table that have no others below them, from SQLite itself."""
    journal = DurableJournal.open(folder, mode="read")
    found = journal._db.execute(
        "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (table,)
    )
    pages = [row[0] for row in found]
    journal.close()
    return pages


def destroyed(folder, page):
    with (folder / schema.DATABASE).open("r+b") as file:
        file.seek((page - 1) * schema.PAGE_BYTES)
        file.write(b"\xee" * schema.PAGE_BYTES)


@pytest.mark.parametrize("table", ["memories", "texts", "edges", "tombstones"])
@pytest.mark.parametrize("which", ["first", "in the middle", "two", "last"])
def test_a_destroyed_page_takes_its_own_rows_and_no_others(store, table, which):
    whole = held(DurableJournal.open(store, mode="read"))
    try:
        pages = leaf_pages(store, table)
    except DamagedStoreError:
        pytest.skip("this SQLite does not say which pages a table has")
    middle = len(pages) // 2
    chosen = {
        "first": pages[:1], "in the middle": pages[middle : middle + 1],
        "two": [pages[0], pages[middle]], "last": pages[-1:],
    }[which]  # fmt: skip
    for page in chosen:
        destroyed(store, page)
    with pytest.raises(DamagedStoreError, match="malformed"):
        DurableJournal.open(store, mode="read")
    keeping = DurableJournal.open(store, mode="read", damaged="keep")
    kept = held(keeping)
    part = {"texts": "memories", "tombstones": "stones"}.get(table, table)
    lost = len(whole[part]) - len(kept[part])
    assert 0 < lost <= (1 + len(chosen)) * len(whole[part]) / len(pages)
    assert any(table in loss or "memor" in loss for loss in keeping.losses)
    for other in {"memories", "edges", "stones"} - {part}:
        assert kept[other] == whole[other]


def test_the_walk_over_single_rows_gives_what_the_walk_in_blocks_gives(store):
    journal = DurableJournal.open(store, mode="read")
    for table in (rescue.MEMORIES, rescue.ALL_EDGES, rescue.ALL_TOMBSTONES):
        blocks = [
            row for rows in rescue.blocks(journal._db, table, print, keep=False) for row in rows
        ]
        first = 0 if table.bits == 63 else b""
        assert list(rescue._one_by_one(journal._db, table, first)) == blocks
