"""Rows that come in are looked at; errors name the file and the row."""

import json

import polars as pl
import pytest

from hebb_lab.memory.changes import Change
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.parquet import export, imported
from hebb_lab.memory.parquet.importing import dimensions_of
from hebb_lab.memory.parquet.tables import FILES, sha256
from hebb_lab.memory.volatile import VolatileJournal
from tests.memory.journals import filled
from tests.memory.made import made_added

MEMORIES, EDGES, STONES = FILES


@pytest.fixture
def folder(tmp_path):
    export(filled("volatile", None), tmp_path)
    return tmp_path


def read(folder):
    return sum(1 for _ in imported(folder))


def altered(folder, name, frame):
    """Write a file anew, with its sum."""
    frame.write_parquet(folder / name)
    facts = json.loads((folder / "facts.json").read_text())
    facts["sha256"][name] = sha256(folder / name)
    (folder / "facts.json").write_text(json.dumps(facts))


def with_cell(frame, column, row, value):
    values = frame[column].to_list()
    values[row] = value
    return frame.with_columns(pl.Series(column, values, dtype=frame.schema[column]))


CELLS = {
    "an id that is none": (MEMORIES, "id", "nothing", "id is no id"),
    "an id that is empty": (MEMORIES, "id", None, "id is empty"),
    "an importance above 1": (MEMORIES, "importance", 1.5, "importance is above 1"),
    "an importance below 0": (MEMORIES, "importance", -0.5, "importance"),
    "an importance that is no number": (MEMORIES, "importance", float("nan"), "importance"),
    "a score that is infinite": (MEMORIES, "decay_score", float("inf"), "decay_score"),
    "a kind that there is not": (MEMORIES, "kind", 9, "kind is unknown"),
    "a count below 0": (MEMORIES, "access_count", -1, "access_count is below 0"),
    "a time before 1970": (MEMORIES, "created_us", -1, "created_us is below 0"),
    "a flag that is empty": (MEMORIES, "stale", None, "stale is empty"),
    "a content that is empty": (MEMORIES, "content", "", "content is empty"),
    "a content that is too long": (MEMORIES, "content", "x" * 65_537, "more than 65536"),
    "an entity that is empty": (MEMORIES, "entity", "", "entity_id is empty"),
    "a context that is no JSON": (MEMORIES, "context", "{", "context is no JSON object"),
    "a context that is a list": (MEMORIES, "context", "[]", "context is no JSON object"),
    "a vector that is too long": (MEMORIES, "vector", [1.0, 1.0, 0.0, 0.0], "length 1"),
    "a vector that is no number": (MEMORIES, "vector", [float("nan")] * 4, "length 1"),
    "a kind of edge that there is not": (EDGES, "kind", 0, "kind is unknown"),
    "a confidence above 1": (EDGES, "confidence", 1.5, "confidence"),
    "a confidence that is no number": (EDGES, "confidence", float("nan"), "confidence"),
    "an end that is no id": (EDGES, "target", "x" * 26, "target is no id"),
    "a short salt": (STONES, "salt", b"1", "salt is not 16 bytes"),
    "a short digest": (STONES, "digest", b"1", "digest is not 32 bytes"),
}


@pytest.mark.parametrize(("name", "column", "value", "problem"), CELLS.values(), ids=CELLS.keys())
def test_a_row_out_of_range_is_named_with_its_file(folder, name, column, value, problem):
    frame = pl.read_parquet(folder / name)
    altered(folder, name, with_cell(frame, column, 1, value))
    with pytest.raises(StoreError, match=rf"{name}:2: .*{problem}"):
        read(folder)


def test_an_id_that_comes_twice_is_named_with_its_row(folder):
    frame = pl.read_parquet(folder / MEMORIES)
    altered(folder, MEMORIES, with_cell(frame, "id", 30, frame["id"][2]))
    with pytest.raises(StoreError, match=rf"{MEMORIES}:31: the id came before"):
        read(folder)


def test_an_edge_to_itself_is_named_with_its_row(folder):
    frame = pl.read_parquet(folder / EDGES)
    altered(folder, EDGES, with_cell(frame, "target", 2, frame["source"][2]))
    with pytest.raises(StoreError, match=rf"{EDGES}:3: the edge leads to itself"):
        read(folder)


def test_the_row_is_counted_over_blocks(tmp_path):
    made = VolatileJournal(4)
    made.commit(Change(1, added=made_added(9000)))
    export(made, tmp_path)
    frame = pl.read_parquet(tmp_path / MEMORIES)
    altered(tmp_path, MEMORIES, with_cell(frame, "importance", 8999, 2.0))
    with pytest.raises(StoreError, match=rf"{MEMORIES}:9000: "):
        read(tmp_path)


def test_a_column_of_another_type_or_length_is_named(folder):
    frame = pl.read_parquet(folder / MEMORIES)
    altered(folder, MEMORIES, frame.with_columns(pl.col("clock").cast(pl.Int64)))
    with pytest.raises(StoreError, match="column clock is Int64, not Int32"):
        read(folder)
    altered(folder, MEMORIES, frame.drop("vector"))
    with pytest.raises(StoreError, match="column vector is None"):
        read(folder)


def test_a_file_that_is_altered_missing_or_no_parquet_is_named(folder):
    whole = (folder / EDGES).read_bytes()
    (folder / EDGES).write_bytes(whole[:-1])
    with pytest.raises(StoreError, match=rf"{EDGES}: the file is not as it was exported"):
        read(folder)
    (folder / EDGES).write_bytes(b"PAR1 no")
    facts = json.loads((folder / "facts.json").read_text())
    facts["sha256"][EDGES] = sha256(folder / EDGES)
    (folder / "facts.json").write_text(json.dumps(facts))
    with pytest.raises(StoreError, match="no Parquet"):
        read(folder)
    (folder / EDGES).unlink()
    with pytest.raises(StoreError, match=f"{EDGES} is missing"):
        read(folder)


def test_facts_that_are_none_or_of_a_newer_version_are_named(folder, tmp_path):
    facts = json.loads((folder / "facts.json").read_text())
    assert dimensions_of(folder) == 4
    for wrong in ({"format": "other"}, {"dimensions": "4"}, {"sha256": None}):
        (folder / "facts.json").write_text(json.dumps({**facts, **wrong}))
        with pytest.raises(StoreError, match="none of an exported store"):
            read(folder)
    (folder / "facts.json").write_text("{")
    with pytest.raises(StoreError, match="none of an exported store"):
        read(folder)
    (folder / "facts.json").write_text(json.dumps({**facts, "version": 2}))
    with pytest.raises(StoreError, match="version 2"):
        read(folder)
    with pytest.raises(StoreError, match="no exported store"):
        read(tmp_path / "nothing")
