import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.graph import files
from tests.graph.files import made_files
from tests.graph.files.made_files import KINDS, assert_same

WORLDS = {
    "hebbian": made_files.hebbians(), "hebbian of the page": made_files.hebbians(),
    "chain": made_files.chains(), "chain of the page": made_files.chains(),
    "hyperedges": made_files.hypergraphs(), "co-activation": made_files.co_activations(),
    "registry": made_files.registries(), "legacy registry": made_files.registries(),
    "directory": made_files.directories(),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_comes_back_as_it_was_written(tmp_path, kind):
    name, make, read, write = KINDS[kind]
    write(tmp_path / name, make())
    assert_same(read(tmp_path / name), make())
    assert_same(files.read_graph_file(tmp_path / name), make())


@pytest.mark.parametrize("kind", WORLDS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_comes_back_and_is_written_the_same_again(tmp_path, kind, data):
    name, _, read, write = KINDS[kind]
    value = data.draw(WORLDS[kind])
    for left in tmp_path.iterdir():
        left.unlink()
    write(tmp_path / name, value)
    first = (tmp_path / name).read_bytes()
    again = read(tmp_path / name)
    assert_same(again, value)
    write(tmp_path / name, again)
    assert (tmp_path / name).read_bytes() == first


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_grew_by_zeros_is_read_and_by_anything_else_is_not(tmp_path, kind):
    name, make, read, write = KINDS[kind]
    path = tmp_path / name
    write(path, make())
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(4096))
    assert_same(read(path), make())
    # a Hebbian file may hold room for edges that are not there yet: 2 × 12 bytes here
    path.write_bytes(whole + bytes(24) + b"\1")
    with pytest.raises(InputError, match="something follows what the counts promise"):
        read(path)


def test_nothing_is_left_beside_a_file_that_could_not_be_written(tmp_path):
    value = dataclasses.replace(made_files.chain(), count=9)
    with pytest.raises(ValueError, match="9 of 3 nodes in use"):
        files.write_chain(tmp_path / "temporal.chain", value)
    assert list(tmp_path.iterdir()) == []


def test_roles_are_any_numbers_from_0_up(tmp_path):
    roles = np.array([0, 9, 255, 256 + 8, 2**31 - 1], np.int32)
    value = dataclasses.replace(made_files.hyperedges(), role=roles)
    files.write_hyperedges(tmp_path / "hypergraph.hyeg", value)
    assert_same(files.read_hyperedges(tmp_path / "hypergraph.hyeg"), value)
