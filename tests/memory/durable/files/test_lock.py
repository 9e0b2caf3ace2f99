"""The lock of the writer."""

import os
import subprocess
import sys

import pytest

from hebb_lab.memory.durable.files.lock import NAME, WriterLock
from hebb_lab.memory.errors import DamagedStoreError, StoreBusyError, StoreReadOnlyError


def test_one_holds_it_and_the_next_gets_it_afterwards(tmp_path):
    first = WriterLock(tmp_path)
    for _ in range(2):
        with pytest.raises(StoreBusyError, match=str(tmp_path)):
            WriterLock(tmp_path)
    first.release()
    first.release()
    WriterLock(tmp_path).release()


def test_a_process_that_is_killed_lets_go_of_it(tmp_path):
    program = (
        "import os, sys; from pathlib import Path;"
        "from hebb_lab.memory.durable.files.lock import WriterLock;"
        "lock = WriterLock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    WriterLock(tmp_path).release()


def test_a_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreReadOnlyError, match='mode="read"'):
        WriterLock(tmp_path)


def test_a_lock_file_that_is_something_else_may_be_deleted(tmp_path):
    (tmp_path / NAME).write_bytes(b"something else " * 100)
    with pytest.raises(DamagedStoreError, match="Delete it"):
        WriterLock(tmp_path)
