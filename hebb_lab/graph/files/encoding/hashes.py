"""Checksums and hashes of names that the files use."""

from __future__ import annotations

_MASK64 = (1 << 64) - 1


def _castagnoli() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return tuple(table)


_TABLE = _castagnoli()


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli, RFC 3720 B.4): reflected 0x1EDC6F41, all ones before and after.

    For headers of 56 bytes: a library for it would be a dependency for one line of a file.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    value = 0xFFFFFFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def _code_units(text: str) -> memoryview:
    """The UTF-16 code units of a text, as Java has them."""
    return memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def tag_hash(tag: str) -> int:
    """FNV-1a 64 over the UTF-16 code units of a tag, as a signed number; 0 becomes 1.

    >>> tag_hash(""), tag_hash("a") == tag_hash("b")
    (-3750763034362895579, False)
    """
    value = 0xCBF29CE484222325
    for unit in _code_units(tag):
        value = (value ^ unit) * 0x100000001B3 & _MASK64
    return _signed(value, 64) or 1


def java_string_hash(text: str) -> int:
    """Java's ``String.hashCode``: h = 31·h + unit over UTF-16 code units, in 32 signed bits.

    >>> java_string_hash("hello")
    99162322
    """
    value = 0
    for unit in _code_units(text):
        value = value * 31 + unit & 0xFFFFFFFF
    return _signed(value, 32)
