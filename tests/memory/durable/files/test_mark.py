"""The mark of acknowledged commits."""

import os

import pytest

from hebb_lab.memory.durable.files.mark import NAME, Mark
from hebb_lab.memory.errors import DamagedStoreError


def test_a_mark_is_read_as_it_was_written(tmp_path):
    assert Mark(tmp_path).read() is None
    mark = Mark(tmp_path)
    for sequence in (0, 1, 2**40):
        mark.write(sequence)
        assert Mark(tmp_path).read() == sequence
    mark.close()
    mark.close()
    assert [file.name for file in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize("synced", [True, False])
def test_a_mark_is_brought_to_the_disk_where_it_is_to_be(tmp_path, monkeypatch, synced):
    mark = Mark(tmp_path, synced=synced)
    mark.write(1)
    seen = []
    monkeypatch.setattr(os, "fdatasync" if hasattr(os, "fdatasync") else "fsync", seen.append)
    mark.write(2)
    assert len(seen) == synced


@pytest.mark.parametrize("data", [b"", b"HEBBMARK", b"x" * 20, b"x" * 30])
def test_bytes_that_are_no_mark_are_refused_and_written_over(tmp_path, data):
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(DamagedStoreError, match="mark"):
        Mark(tmp_path).read()
    mark = Mark(tmp_path)
    mark.write(7)
    mark.close()
    assert Mark(tmp_path).read() == 7


def test_a_mark_that_is_not_synced_says_how_many_commits_must_be_there(tmp_path):
    mark = Mark(tmp_path, synced=False)
    mark.on_disk = 3
    mark.write(5)
    mark.close()
    assert (Mark(tmp_path).read(), Mark(tmp_path).read_both()) == (5, (5, 3))
    data = (tmp_path / NAME).read_bytes()
    for place in range(len(data)):
        altered = data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]
        (tmp_path / NAME).write_bytes(altered)
        with pytest.raises(DamagedStoreError, match="mark"):
            Mark(tmp_path).read_both()
    synced = Mark(tmp_path)
    synced.write(6)
    synced.close()
    assert Mark(tmp_path).read_both() == (6, 6)
