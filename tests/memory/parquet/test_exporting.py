"""A store goes to Parquet and comes back bit for bit."""

import json

import polars as pl
import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.errors import DamagedStoreError, StoreError
from hebb_lab.memory.parquet import export, imported
from hebb_lab.memory.parquet.tables import FILES, schemas, sha256
from hebb_lab.memory.volatile import VolatileJournal
from tests.memory.journals import CHANGES, filled, journal
from tests.memory.made import held, made_added


@pytest.mark.parametrize("kind", ["volatile", "durable"])
def test_what_comes_back_is_what_went(kind, tmp_path):
    made = filled(kind, tmp_path / "store")
    export(made, tmp_path / "out")
    again = journal("volatile", None)
    for change in imported(tmp_path / "out"):
        again.commit(change)
    assert held(again) == held(made)


def test_a_store_of_more_than_a_block_is_written_in_row_groups(tmp_path):
    made = VolatileJournal(4)
    made.commit(Change(5, added=made_added(20_000)))
    export(made, tmp_path)
    assert pl.scan_parquet(tmp_path / FILES[0]).select(pl.len()).collect().item() == 20_000
    again = VolatileJournal(4)
    for change in imported(tmp_path):
        again.commit(change)
    assert held(again) == held(made)


def test_an_empty_store_goes_and_comes(tmp_path):
    export(VolatileJournal(7), tmp_path)
    assert list(imported(tmp_path)) == []


def test_the_files_say_their_types_version_and_sums(tmp_path):
    export(filled("volatile", None), tmp_path)
    facts = json.loads((tmp_path / "facts.json").read_text())
    assert facts["version"] == 1
    assert facts["dimensions"] == 4
    assert facts["clock_us"] == CHANGES[-1].at_us
    assert facts["facts"]["cursor"] == "ü ☂"
    for name in FILES:
        frame = pl.read_parquet(tmp_path / name)
        assert dict(frame.schema) == schemas(4)[name]
        assert len(frame) == facts["rows"][name]
        assert sha256(tmp_path / name) == facts["sha256"][name]
    ids = pl.read_parquet(tmp_path / FILES[0])["id"]
    assert ids.is_sorted()
    assert set(ids.str.len_chars()) == {26}


def test_an_exported_store_is_not_written_over(tmp_path):
    made = filled("volatile", None)
    export(made, tmp_path)
    with pytest.raises(StoreError, match="exported store already"):
        export(made, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        export(made, tmp_path / "file")


def test_a_damaged_row_is_raised_by_its_name_and_not_left_out(tmp_path):
    made = filled("durable", tmp_path / "store")
    made._db.execute("UPDATE texts SET content = 'x' WHERE place = 3")
    with pytest.raises(DamagedStoreError, match="does not fit its checksum"):
        export(made, tmp_path / "out")
    made.close()
    keeping = DurableJournal.open(tmp_path / "store", mode="read", damaged="keep")
    export(keeping, tmp_path / "kept")
    assert pl.read_parquet(tmp_path / "kept" / FILES[0]).height == 51
