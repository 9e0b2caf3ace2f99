import struct

import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.files.encoding.hashes import crc32c
from hebb_lab.graph.files.encoding.header import SHAPES, Header, any_header
from hebb_lab.graph.files.encoding.source import Source

HEADER = Header(2, "CHAIN", 1, 10, 9, 16, 0x54504348, 1_000, 2_000)


def test_the_header_is_64_bytes_with_a_checksum_of_the_first_56():
    packed = HEADER.pack()
    assert packed[:56] == struct.pack(
        "<IiiiqqiIqq", 0x534D4B4D, 2, 3, 1, 10, 9, 16, 0x54504348, 1_000, 2_000
    )
    assert packed[56:] == struct.pack("<Ii", crc32c(packed[:56]), 0)


def test_a_header_comes_back(tmp_path):
    (tmp_path / "f").write_bytes(HEADER.pack())
    with Source(tmp_path / "f") as source:
        assert any_header(source) == HEADER


def test_a_shape_that_does_not_exist_is_refused_though_the_checksum_fits(tmp_path):
    raw = bytearray(HEADER.pack()[:56])
    struct.pack_into("<i", raw, 8, len(SHAPES))
    (tmp_path / "f").write_bytes(raw + struct.pack("<II", crc32c(bytes(raw)), 0))
    with Source(tmp_path / "f") as source, pytest.raises(InputError, match="at byte 8: there is"):
        any_header(source)


def test_another_magic_number_is_refused(tmp_path):
    (tmp_path / "f").write_bytes(b"PK\3\4" + bytes(60))
    with Source(tmp_path / "f") as source, pytest.raises(InputError, match="not SMKM"):
        any_header(source)
