from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.graph.files.encoding.hashes import crc32c, java_string_hash, tag_hash


def test_crc32c_gives_the_vectors_of_rfc_3720():
    assert crc32c(b"") == 0
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    assert crc32c(bytes(range(31, -1, -1))) == 0x113FDB5C


def test_tag_hashes_are_those_of_fnv_1a_where_a_unit_is_a_byte():
    # published vectors of FNV-1a 64
    for text, expected in (("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C),
                           ("foobar", 0x85944171F73967E8)):  # fmt: skip
        assert tag_hash(text) % 2**64 == expected


def test_a_character_beyond_the_first_plane_is_two_units():
    value = 0xCBF29CE484222325
    for unit in (0xD83D, 0xDE00):
        value = (value ^ unit) * 0x100000001B3 % 2**64
    assert tag_hash("😀") % 2**64 == value


def test_java_hashes_are_those_of_java():
    # String.hashCode of the Java documentation's formula; the first two are well known
    for text, expected in (("", 0), ("Aa", 2112), ("BB", 2112), ("polygenelubricants", -(2**31))):
        assert java_string_hash(text) == expected


@given(st.text())
def test_hashes_are_signed_numbers_of_their_width(text):
    assert -(2**63) <= tag_hash(text) < 2**63
    assert tag_hash(text) != 0
    assert -(2**31) <= java_string_hash(text) < 2**31
