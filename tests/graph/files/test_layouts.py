"""The bytes themselves, laid out here by hand as the description of the formats says."""

import struct

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph import files
from hebb_lab.graph.files.encoding.header import Header
from tests.graph.files import made_files
from tests.graph.files.made_files import assert_same

EDGE = "<ifHBB"


def edges_of(value):
    return b"".join(
        struct.pack(EDGE, *row)
        for row in zip(
            value.neighbor.tolist(), value.weight.tolist(), value.last_cycle.tolist(),
            value.bridge.tolist(), value.flags.tolist(), strict=True,
        )
    )  # fmt: skip


def test_hebbian_of_the_page_has_24_bytes_of_big_endian_header(tmp_path):
    value = made_files.hebbian()
    files.write_hebbian(tmp_path / "f", value, "page")
    expected = b"HCSR" + struct.pack(">5i", 3, 3, 6, 4, 9) + struct.pack("<4i", 0, 2, 3, 4)
    assert (tmp_path / "f").read_bytes() == expected + edges_of(value)


def test_hebbian_in_a_container_has_its_offsets_at_80(tmp_path):
    value = made_files.hebbian()
    files.write_hebbian(tmp_path / "f", value, created_ms=5)
    whole = (tmp_path / "f").read_bytes()
    assert whole[:4] == b"MKMS"
    assert struct.unpack_from("<iiiqqiIqq", whole, 4) == (1, 2, 1, 3, 4, 12, 0x48435352, 5, 5)
    assert struct.unpack_from("<iiq", whole, 64) == (6, 9, 0)
    assert whole[80:96] == struct.pack("<4i", 0, 2, 3, 4)
    assert whole[96:] == edges_of(value)


def test_room_for_edges_that_a_bundle_keeps_is_not_read(tmp_path):
    value = made_files.hebbian()
    files.write_hebbian(tmp_path / "f", value)
    whole = (tmp_path / "f").read_bytes()
    (tmp_path / "f").write_bytes(whole + bytes(range(24)))  # room for 6 edges, 4 are there
    assert_same(files.read_hebbian(tmp_path / "f"), value)


@pytest.mark.parametrize(("version", "edge"), [(1, "<if"), (2, EDGE)])
def test_rows_of_fixed_width_become_sparse_rows(tmp_path, version, edge):
    row = {1: [(1, 2.5), (2, 0.5)], 2: [(1, 2.5, 7, 200, 1), (2, 0.5, 3, 0, 0)]}[version]
    unused = bytes(struct.calcsize(edge))
    rows = [
        struct.pack("<i", 2) + b"".join(struct.pack(edge, *entry) for entry in row) + unused,
        struct.pack("<i", 0) + 3 * unused,
        struct.pack("<i", 1) + struct.pack(edge, 0, *row[0][1:]) + 2 * unused,
    ]
    (tmp_path / "f").write_bytes(b"HGPH" + struct.pack(">3i", version, 3, 3) + b"".join(rows))
    value = files.read_graph_file(tmp_path / "f")
    assert value.offsets.tolist() == [0, 2, 2, 3]
    assert value.neighbor.tolist() == [1, 2, 0]
    assert value.weight.tolist() == [2.5, 0.5, 2.5]
    assert value.bridge.tolist() == ([200, 0, 200] if version == 2 else [0, 0, 0])
    assert value.last_cycle.tolist() == ([7, 3, 7] if version == 2 else [0, 0, 0])


def test_a_row_of_24_neighbours_takes_292_bytes(tmp_path):
    whole = b"HGPH" + struct.pack(">3i", 2, 1, 24) + bytes(292)
    (tmp_path / "f").write_bytes(whole)
    assert len(files.read_hebbian(tmp_path / "f")) == 1
    (tmp_path / "f").write_bytes(whole[:-1])
    with pytest.raises(InputError, match="would take 292 bytes"):
        files.read_hebbian(tmp_path / "f")


def test_faults_of_the_older_rows_are_said_with_their_byte(tmp_path):
    def row(degree, neighbor):
        return struct.pack("<i", degree) + struct.pack(EDGE, neighbor, 1, 0, 0, 0)

    head = b"HGPH" + struct.pack(">3i", 2, 2, 1)
    for rows, said in (
        (row(1, 1) + row(2, 0), "at byte 32: a degree outside 0 to 1"),
        (row(0, 9) + row(1, 2), "at byte 36: a neighbour outside 0 to 1"),
    ):
        (tmp_path / "f").write_bytes(head + rows)
        with pytest.raises(InputError, match=said):
            files.read_hebbian(tmp_path / "f")
    for width, version in ((2**31 - 1, 2), (-1, 2), (1, 3)):
        (tmp_path / "f").write_bytes(b"HGPH" + struct.pack(">3i", version, 2, width))
        with pytest.raises(InputError, match="at byte"):
            files.read_hebbian(tmp_path / "f")


def test_three_undirected_edges_come_back_as_six_and_the_strongest_neighbour_with_them(tmp_path):
    value = files.HebbianFile(
        np.array([0, 2, 3, 5, 6], np.int32), np.array([1, 2, 0, 0, 3, 2], np.int32),
        np.array([1, 5, 1, 5, 2, 2], np.float32), np.zeros(6, np.uint16), np.zeros(6, np.uint8),
        np.zeros(6, np.uint8), 0, 8,
    )  # fmt: skip
    files.write_hebbian(tmp_path / "f", value)
    again = files.read_hebbian(tmp_path / "f")
    assert len(again.neighbor) == 6
    mine = slice(again.offsets[0], again.offsets[1])
    best = int(again.weight[mine].argmax())
    assert (again.neighbor[mine][best], again.weight[mine][best]) == (2, 5.0)


def test_a_chain_is_four_numbers_a_node(tmp_path):
    nodes = struct.pack("<12i", -1, 1, 42, 1000, 0, 2, 42, 1001, 1, -1, 42, -1)
    for form, head in (("page", b"TPCH" + struct.pack(">3i", 2, 3, 3)), ("container", None)):
        files.write_chain(tmp_path / "f", made_files.chain(), form)
        whole = (tmp_path / "f").read_bytes()
        assert whole[-48:] == nodes
        assert head is None or whole == head + nodes
    assert struct.unpack_from("<iiiqqiI", whole, 4) == (2, 3, 1, 3, 3, 16, 0x54504348)


def test_a_chain_that_a_migration_wrote_without_a_capacity_is_read(tmp_path):
    files.write_chain(tmp_path / "f", made_files.chain())
    nodes = (tmp_path / "f").read_bytes()[64:]
    head = Header(2, "CHAIN", 1, 0, len(nodes), 16, 0x54504348, 0, 0).pack()
    (tmp_path / "f").write_bytes(head + nodes)
    assert_same(files.read_chain(tmp_path / "f"), made_files.chain())


def test_hyperedges_take_32_bytes_and_vertices_8(tmp_path):
    files.write_hyperedges(tmp_path / "f", made_files.hyperedges())
    whole = (tmp_path / "f").read_bytes()
    assert struct.unpack_from("<iiiqqiI", whole, 4) == (2, 2, 0, 16, 2, 32, 0x48594547)
    assert struct.unpack_from("<4i", whole, 64) == (8, 3, 5, 2)
    assert struct.unpack_from("<iifiiiq", whole, 80) == (0, 0, 1.0, 3, 0, 7, 10**12)
    assert struct.unpack_from("<iifiiiq", whole, 144) == (2, 1, 3.5, 2, 3, -1, 5)
    assert struct.unpack_from("<ii", whole, 176) == (0, 1)
    assert len(whole) == 80 + 3 * 32 + 5 * 8
    assert made_files.hyperedges().live == 2


def test_tag_pairs_stand_in_the_slot_of_their_hash(tmp_path):
    value = made_files.co_activation()
    files.write_co_activation(tmp_path / "f", value)
    whole = (tmp_path / "f").read_bytes()
    assert struct.unpack_from("<iiiqqiI", whole, 4) == (2, 0, 1, 288, 288, 1, 0x434F4158)
    assert struct.unpack_from("<ii", whole, 64) == (4, 4)
    a, b, count = (int(column[0]) for column in (value.pair_a, value.pair_b, value.pair_count))
    slot = (a * 0x9E3779B97F4A7C15 + b) % 2**64 & 3
    assert struct.unpack_from("<qqii", whole, 72 + 32 * slot) == (a, b, count, 1)
    source, target = int(value.source[0]), int(value.target[0])
    slot = (source * 0x517CC1B727220A95 + target) % 2**64 & 3
    entry = struct.unpack_from("<qqf4xqii", whole, 72 + 4 * 32 + 40 * slot)
    assert entry == (source, target, 0.5, 10**12, 2, 1)
    trailer = 72 + 4 * 32 + 4 * 40
    assert struct.unpack_from(">3i", whole, trailer) == (2, 2, 3)
    assert struct.unpack_from(">q", whole, trailer + 12) == (int(value.tag_hash[0]),)
    assert struct.unpack_from(">i", whole, len(whole) - 36) == (1,)
    assert struct.unpack(">qB3xfiiq", whole[-32:]) == (2**40, 3, 0.5, 4, 2, 10**12)


def test_what_is_wrong_in_a_table_of_tags_is_said_with_its_slot(tmp_path):
    value = made_files.co_activation()
    files.write_co_activation(tmp_path / "f", value)
    whole = (tmp_path / "f").read_bytes()
    at = next(at for at in range(200, 360, 40) if struct.unpack_from("<i", whole, at + 36)[0])
    broken = bytearray(whole)
    struct.pack_into("<f", broken, at + 16, 2.0)
    (tmp_path / "f").write_bytes(broken)
    with pytest.raises(InputError, match=f"at byte {at}: a weight outside 0 to 1"):
        files.read_co_activation(tmp_path / "f")


def test_a_registry_has_short_lengths_and_the_older_one_long_ones(tmp_path):
    files.write_registry(tmp_path / "f", made_files.registry())
    whole = (tmp_path / "f").read_bytes()
    name = "ÖRTLICHKEIT".encode()
    assert whole[64:76] == struct.pack("<H", 6) + b"PERSON" + struct.pack("<i", 0)
    assert whole[76:] == struct.pack("<H", 12) + name + struct.pack("<i", 7)
    assert struct.unpack_from("<iiiqqiI", whole, 4) == (1, 5, 1, 2, 2, 0, 0x52454700)
    files.write_registry(tmp_path / "f", made_files.registry(), "legacy")
    whole = (tmp_path / "f").read_bytes()
    assert whole[:8] == b"TREG" + struct.pack(">i", 1)
    assert whole[8:26] == struct.pack(">ii", 2, 6) + b"PERSON" + struct.pack(">i", 0)


@pytest.mark.parametrize(
    ("names", "ids", "said"),
    [
        (("a",), [0], "not in upper case"), (("A", "A"), [0, 1], "stands there twice"),
        (("A", "B"), [1, 1], "the id 1 stands there twice"), ((" ",), [0], "without a name"),
        (("A",), [-1], "negative"), (("A",), [0, 1], "1 names and 2 ids"),
    ],
)  # fmt: skip
def test_a_registry_that_is_none_is_not_written(tmp_path, names, ids, said):
    value = files.RegistryFile(names, np.array(ids, np.int32))
    with pytest.raises(ValueError, match=said):
        files.write_registry(tmp_path / "f", value)


def test_entities_take_64_bytes_and_links_8(tmp_path):
    value = made_files.directory()
    files.write_entity_directory(tmp_path / "f.edir", value)
    whole = (tmp_path / "f.edir").read_bytes()
    assert struct.unpack_from("<iiiqqiI", whole, 4) == (1, 2, 1, 3, 3, 64, 0x45444952)
    assert struct.unpack_from("<iiq", whole, 64) == (3, 3, 0)
    hashed = files.java_string_hash("größe")
    assert struct.unpack_from("<i4xqiiii", whole, 80) == (0, hashed, 0, 2, 2, -1)
    assert struct.unpack_from("<iiii", whole, 80 + 64 + 16) == (-1, 0, 0, -1)
    assert struct.unpack_from("<if", whole, 80 + 3 * 64) == (0, 1.0)
    assert len(whole) == 80 + 3 * 64 + 3 * 8


def test_names_are_read_from_beside_the_directory(tmp_path):
    path = tmp_path / "entity-directory.edir"
    files.write_entity_directory(path, made_files.directory())
    assert len(files.read_entity_directory(path).names) == 0
    files.write_names(tmp_path / "elsewhere", made_files.names())
    given = files.read_entity_directory(path, tmp_path / "elsewhere")
    assert_same(given.names, made_files.names())
    files.write_entity_directory(path, given)
    assert (tmp_path / "entity-directory-names.idx").exists()
    assert_same(files.read_entity_directory(path), given)
    files.write_names(tmp_path / "elsewhere", files.NamesFile(("zoe",), np.array([3], np.int32)))
    with pytest.raises(InputError, match="a name of an entity above 2"):
        files.read_entity_directory(path, tmp_path / "elsewhere")


def test_names_are_big_endian_and_those_that_are_encrypted_are_refused(tmp_path):
    files.write_names(tmp_path / "n.idx", made_files.names())
    whole = (tmp_path / "n.idx").read_bytes()
    assert whole[:16] == b"\0" + struct.pack(">ii", 2, 3) + b"ann" + struct.pack(">i", 1)
    for kind, said in ((1, "encrypted"), (2, "no kind 2")):
        (tmp_path / "n.idx").write_bytes(bytes([kind]) + whole[1:])
        with pytest.raises(InputError, match=said):
            files.read_graph_file(tmp_path / "n.idx")


def test_a_name_that_is_not_utf8_is_refused_at_its_byte(tmp_path):
    files.write_names(tmp_path / "n.idx", made_files.names())
    whole = bytearray((tmp_path / "n.idx").read_bytes())
    whole[10] = 0xFF
    (tmp_path / "n.idx").write_bytes(whole)
    with pytest.raises(InputError, match="at byte 10: the name of an entity is not UTF-8"):
        files.read_names(tmp_path / "n.idx")
