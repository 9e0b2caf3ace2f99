"""The names that the package hands on."""

import subprocess
import sys

import pytest

import hebb_lab.memory


def test_every_name_is_there_and_another_is_an_attribute_error():
    assert [name for name in hebb_lab.memory.__all__ if not hasattr(hebb_lab.memory, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'Memroy'"):
        hebb_lab.memory.Memroy  # noqa: B018


def test_rules_are_read_without_loading_a_store():
    code = (
        "import sys, hebb_lab.memory; hebb_lab.memory.DOCUMENTED;"
        " print([name for name in ('torch', 'numba', 'polars', 'sqlite3', 'hebb_lab.memory.store')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
