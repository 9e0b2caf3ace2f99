import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.files.encoding.source import Source, first_fault
from hebb_lab.graph.files.encoding.text import Texts, framed


def test_what_the_file_has_not_is_refused_before_it_is_asked_for(tmp_path):
    (tmp_path / "f").write_bytes(bytes(10))
    with Source(tmp_path / "f") as source:
        assert source.array(2, "<i4", 2, "two").tolist() == [0, 0]
        for at, size in ((8, 4), (0, 2**70), (0, -1)):
            with pytest.raises(InputError, match=r"would take .* the file ends at 10"):
                source.take(at, size, "something")


def test_a_file_that_shrinks_while_it_is_read_is_said(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(bytes(10))
    with Source(path) as source:
        path.write_bytes(bytes(3))
        with pytest.raises(InputError, match="became shorter while it was read"):
            source.take(0, 10, "all")


def test_padding_is_looked_through_piece_by_piece(tmp_path):
    (tmp_path / "f").write_bytes(bytes(3 << 20) + b"\7" + bytes(9))
    with Source(tmp_path / "f") as source:
        source.only_padding_from((3 << 20) + 1)
        with pytest.raises(InputError, match=f"at byte {3 << 20}: something follows"):
            source.only_padding_from(5)


def test_the_first_fault_is_the_one_that_is_said():
    wrong, right = np.array([False, True]), np.array([False, False])
    assert first_fault([("a", right, "x"), ("b", wrong, "y")]) == ("y (number 1)", "b", 1)
    assert first_fault([("a", right, "x")]) is None


def test_texts_are_read_one_after_another(tmp_path):
    (tmp_path / "f").write_bytes(framed(">i", "größe") + framed("<H", ""))
    with Source(tmp_path / "f") as source:
        texts = Texts(source, 0)
        assert (texts.text(">i", "a"), texts.text("<H", "b"), texts.at) == ("größe", "", 13)
