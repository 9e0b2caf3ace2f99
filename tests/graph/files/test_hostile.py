"""Broken and hostile files: an error with file, byte and cure, and never much memory."""

import dataclasses
import struct
import tracemalloc

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph import files
from hebb_lab.graph.files.encoding.header import HCSR, Header
from tests.graph.files import made_files
from tests.graph.files.made_files import KINDS

BOUND = 1 << 20


def written(tmp_path, kind):
    name, make, read, write = KINDS[kind]
    write(tmp_path / name, make())
    return tmp_path / name, read


def refusal(read, path):
    """What is said against a file; empty where it is read."""
    try:
        read(path)
    except InputError as error:
        return error.problem
    return ""


def resealed(head, **changes):
    """A header with other numbers and a checksum that fits them."""
    fields = struct.unpack("<IiiiqqiIqq", head[:56])
    header = Header(
        fields[1], ("RECORD", "", "GRAPH", "CHAIN", "", "REGISTRY", "BUNDLE")[fields[2]],
        *fields[3:],
    )  # fmt: skip
    return header._replace(**changes).pack()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_cut_off_anywhere_is_refused(tmp_path, kind):
    path, read = written(tmp_path, kind)
    whole = path.read_bytes()
    tracemalloc.start()
    try:
        for length in range(len(whole)):
            path.write_bytes(whole[:length])
            with pytest.raises(InputError, match=r"at byte \d+") as caught:
                read(path)
            assert caught.value.path == path
            assert caught.value.cure
        assert tracemalloc.get_traced_memory()[1] < BOUND
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_with_a_wrong_byte_is_read_or_refused_and_nothing_else(tmp_path, kind):
    path, read = written(tmp_path, kind)
    whole = path.read_bytes()
    tracemalloc.start()
    try:
        for at in range(len(whole)):
            for mask in (0x01, 0x80, 0xFF):
                path.write_bytes(whole[:at] + bytes([whole[at] ^ mask]) + whole[at + 1 :])
                for reader in (read, files.read_graph_file):
                    said = refusal(reader, path)
                    assert not said or "at byte" in said
        assert tracemalloc.get_traced_memory()[1] < BOUND
    finally:
        tracemalloc.stop()


def test_random_bytes_behind_a_sound_header_are_read_or_refused(tmp_path):
    generator = np.random.default_rng(5)
    for kind in KINDS:
        path, read = written(tmp_path, kind)
        whole = path.read_bytes()
        for _ in range(60):
            start = int(generator.integers(64 if whole[:4] == b"MKMS" else 4, len(whole)))
            path.write_bytes(whole[:start] + generator.bytes(len(whole) - start))
            said = refusal(read, path)
            assert not said or "at byte" in said


@pytest.mark.parametrize("number", [-1, 2**31 - 1, 2**40, 2**62, -(2**63)])
@pytest.mark.parametrize("field", ["capacity", "used"])
@pytest.mark.parametrize(
    "kind", ["hebbian", "chain", "hyperedges", "co-activation", "registry", "directory"]
)
def test_an_absurd_count_with_a_fitting_checksum_allocates_nothing(tmp_path, kind, field, number):
    path, read = written(tmp_path, kind)
    whole = path.read_bytes()
    path.write_bytes(resealed(whole[:64], **{field: number}) + whole[64:])
    tracemalloc.start()
    try:
        said = refusal(read, path)
        # a capacity, and a count that the reader counts anew, may be anything
        assert "at byte" in said or kind in ("hyperedges", "co-activation", "registry")
        assert tracemalloc.get_traced_memory()[1] < BOUND
    finally:
        tracemalloc.stop()


def test_counts_inside_the_files_are_checked_before_anything_is_read(tmp_path):
    huge = 2**31 - 1
    cases = {
        "hebbian of the page": [(8, ">i", huge), (16, ">i", huge), (8, ">i", -2)],
        "hyperedges": [(68, "<i", huge), (72, "<i", huge), (68, "<i", -5)],
        "co-activation": [(64, "<i", huge), (68, "<i", huge), (64, "<i", -1)],
        "names": [(1, ">i", huge), (5, ">i", huge), (5, ">i", -1)],
        "legacy registry": [(8, ">i", huge), (12, ">i", huge), (12, ">i", -1)],
        "directory": [(64, "<i", -1), (68, "<i", huge), (100, "<i", huge)],
        "chain of the page": [(8, ">i", huge), (8, ">i", -1), (12, ">i", huge)],
    }
    for kind, changes in cases.items():
        for at, form, number in changes:
            path, read = written(tmp_path, kind)
            broken = bytearray(path.read_bytes())
            struct.pack_into(form, broken, at, number)
            path.write_bytes(broken)
            with pytest.raises(InputError, match="at byte"):
                read(path)


@pytest.mark.parametrize("kind", ["hebbian", "hebbian of the page", "chain of the page"])
def test_swapped_bytes_are_recognised_and_said(tmp_path, kind):
    path, read = written(tmp_path, kind)
    whole = path.read_bytes()
    path.write_bytes(whole[:4][::-1] + whole[4:])
    for reader in (read, files.read_graph_file):
        with pytest.raises(InputError, match="with its bytes swapped"):
            reader(path)


def test_a_wrong_checksum_is_refused_at_its_byte(tmp_path):
    path, read = written(tmp_path, "chain")
    whole = bytearray(path.read_bytes())
    whole[40] ^= 1  # when it was made
    path.write_bytes(whole)
    with pytest.raises(InputError, match="at byte 56: the checksum of the header"):
        read(path)


@pytest.mark.parametrize(
    ("kind", "at", "form", "number", "said"),
    [
        ("hebbian", 84, "<i", 9, "at byte 88: an offset goes back"),
        ("hebbian", 108, "<i", 3, "at byte 108: a neighbour outside 0 to 2"),
        ("hebbian", 112, "<f", float("nan"), "at byte 112: a weight that is no number"),
        ("hebbian", 64, "<i", 3, "at byte 64: room for 3 of 4 edges"),
        ("chain", 80, "<i", -2, "at byte 80: previous: a node outside −1 to 2"),
        ("chain", 68, "<i", 3, "at byte 68: next: a node outside −1 to 2"),
        ("hyperedges", 88, "<f", float("inf"), "at byte 88: a weight that is no number"),
        ("hyperedges", 92, "<i", 6, "at byte 96: vertices outside 0 to 4"),
        ("hyperedges", 176, "<i", 8, "at byte 176: an entity outside 0 to 7"),
        ("directory", 108, "<i", 3, "at byte 80: merged into an entity outside −1 to 2"),
        ("directory", 96, "<i", 2, "at byte 96: links outside 0 to 2"),
        ("directory", 272, "<i", -7, "at byte 272: a negative memory"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_byte(tmp_path, kind, at, form, number, said):
    path, read = written(tmp_path, kind)
    broken = bytearray(path.read_bytes())
    struct.pack_into(form, broken, at, number)
    path.write_bytes(broken)
    with pytest.raises(InputError) as caught:
        read(path)
    assert said in str(caught.value)


def test_entities_that_share_links_cannot_ask_for_more_than_the_file_has(tmp_path):
    path, read = written(tmp_path, "directory")
    broken = bytearray(path.read_bytes())
    for node in range(3):  # each claims all three links
        struct.pack_into("<ii", broken, 80 + 64 * node + 16, 0, 3)
    path.write_bytes(broken)
    with pytest.raises(InputError, match="entities have 9 links and the file 3"):
        read(path)


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "absent", tmp_path / "a\0b"):
        with pytest.raises(InputError):
            files.read_graph_file(path)


def test_a_file_of_another_kind_is_named(tmp_path):
    path, _ = written(tmp_path, "chain")
    with pytest.raises(InputError, match="it holds TPCH and not HCSR"):
        files.read_hebbian(path)
    with pytest.raises(InputError, match="no type registry"):
        files.read_registry(path)


def test_layouts_that_are_not_described_are_refused_by_name(tmp_path):
    path = tmp_path / "old"
    for magic, read in ((b"COAX", files.read_co_activation), (b"HYEG", files.read_hyperedges)):
        path.write_bytes(magic + bytes(60))
        with pytest.raises(InputError, match=r"without a container.*Open the store once"):
            read(path)
    path.write_bytes(Header(1, "BUNDLE", 1, 8, 0, 64, 0x42554E44, 0, 0).pack())
    with pytest.raises(InputError, match="a bundle of several stores"):
        files.read_graph_file(path)
    path.write_bytes(Header(1, "RECORD", 1, 8, 0, 64, 0x4D494458, 0, 0).pack())
    with pytest.raises(InputError, match="it holds MIDX, which is no graph"):
        files.read_graph_file(path)


def test_another_schema_shape_or_stride_is_refused(tmp_path):
    path = tmp_path / "f"
    for header, said in (
        (Header(9, "GRAPH", 1, 0, 0, 12, HCSR, 0, 0), "schema 9; 1 is known"),
        (Header(1, "CHAIN", 1, 0, 0, 12, HCSR, 0, 0), "shape CHAIN; GRAPH is known"),
        (Header(1, "GRAPH", 1, 0, 0, 8, HCSR, 0, 0), "stride 8; 12 is known"),
    ):
        path.write_bytes(header.pack() + bytes(100))
        with pytest.raises(InputError, match=said):
            files.read_hebbian(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_that_is_not_there_is_an_error_with_a_cure(tmp_path, kind):
    name, make, _, write = KINDS[kind]
    with pytest.raises(InputError, match=r"cannot be written.*Name a folder that exists"):
        write(tmp_path / "absent" / name, make())


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    sick = dataclasses.replace(made_files.hebbian(), weight=np.full(4, np.nan, np.float32))
    with pytest.raises(ValueError, match="a weight that is no number"):
        files.write_hebbian(tmp_path / "f", sick)
    short = dataclasses.replace(made_files.hebbian(), weight=np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="different shapes"):
        files.write_hebbian(tmp_path / "f", short)
    with pytest.raises(ValueError, match="power of two"):
        files.write_co_activation(
            tmp_path / "f", dataclasses.replace(made_files.co_activation(), pair_slots=6)
        )
    for write, value in (
        (files.write_hebbian, made_files.hebbian()), (files.write_chain, made_files.chain()),
        (files.write_registry, made_files.registry()),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="format 'x' is neither"):
            write(tmp_path / "f", value, "x")
    long = files.RegistryFile(("X" * 65536,), np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="too long"):
        files.write_registry(tmp_path / "f", long)
