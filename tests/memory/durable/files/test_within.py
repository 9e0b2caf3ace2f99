"""A store is moved out of its making when it is whole."""

import pytest

from hebb_lab.memory.durable import DurableJournal, schema
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.durable.files.within import NAME, made_within
from hebb_lab.memory.errors import StoreError
from tests.memory.journals import filled
from tests.memory.made import held


def test_what_was_made_is_moved_out_whole(tmp_path):
    with made_within(tmp_path / "new") as place:
        journal = filled("durable", place)
        whole, commits = held(journal), journal.facts["sequence"]
        journal.close()
    assert not (tmp_path / "new" / NAME).exists()
    assert held(DurableJournal.open(tmp_path / "new")) == whole
    assert Mark(tmp_path / "new").read() == commits


def test_a_move_that_is_stopped_before_the_database_is_no_whole_store(tmp_path, monkeypatch):
    from pathlib import Path

    real = Path.replace

    def stopped(file, target):
        if file.name == schema.DATABASE:
            raise KeyboardInterrupt
        return real(file, target)

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt), made_within(tmp_path) as place:
        filled("durable", place).close()
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_empty_is_refused(tmp_path):
    (tmp_path / "mine").write_text("")
    with pytest.raises(StoreError, match="not empty"), made_within(tmp_path):
        pass
    with pytest.raises(StoreError, match="not empty"), made_within(tmp_path / "mine"):
        pass
