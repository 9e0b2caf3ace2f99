import numpy as np
import pytest

from hebb_lab.memory.changes import SCALARS, Change
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state import State, to_pyg
from hebb_lab.memory.state.views import id_texts
from tests.memory.made import made_added, made_edges


def small_world():
    state, added = State(4), made_added(8)
    ids = added.ids.to_bytes()
    pairs = [(ids[0], ids[2]), (ids[2], ids[3]), (ids[1], ids[2])]
    state.apply(Change(1, added=added, edges=made_edges(pairs, kind=2), forgotten=added.ids[1:2]))
    return state, added


def test_many_ids_at_once_read_as_the_library_writes_each():
    rng = np.random.default_rng(0)
    array = rng.integers(0, 2**64, (50, 2), np.uint64)
    array[0], array[1] = 0, 2**64 - 1
    assert id_texts(Ids(array)).tolist() == list(Ids(array))


def test_the_table_shows_memories_that_are_there_with_their_entity_and_numbers():
    polars = pytest.importorskip("polars")
    state, added = small_world()
    frame = state.frame()
    rows = [0, 2, 3, 4, 5, 6, 7]
    assert frame["id"].to_list() == [added.ids[row] for row in rows]
    assert frame["entity_id"].to_list() == [added.texts.entities[row] for row in rows]
    assert frame.columns == ["id", "entity_id", *SCALARS]
    for name in SCALARS:
        assert frame[name].to_list() == added.scalars[name][rows].tolist()
    empty = State(4).frame()
    assert empty.schema == frame.schema
    assert isinstance(empty, polars.DataFrame)


def test_tensors_are_the_columns_of_all_rows_and_the_vectors():
    state, added = small_world()
    tensors = state.tensors()
    assert set(tensors) == {*SCALARS, "alive", "has_vector", "entity", "vectors"}
    assert tensors["alive"].tolist() == state.alive.tolist()
    assert tensors["importance"][2] == float(added.scalars["importance"][2])
    assert (tensors["vectors"].numpy() == state.vectors.take(np.arange(8))).all()
    assert State(4).tensors()["vectors"].shape == (0, 4)


def test_the_graph_for_pyg_has_a_relation_for_each_kind_of_edges():
    pytest.importorskip("torch_geometric")
    state, _ = small_world()
    data = to_pyg(state)
    assert data["memory"].num_nodes == 8
    assert data["memory"].alive.tolist() == state.alive.tolist()
    relation = data["memory", "related_to", "memory"]
    assert relation.edge_index.tolist() == [[0, 2], [2, 3]]
    assert relation.confidence.tolist() == [0.5, 0.5]
    assert len(data.edge_types) == 5
    assert data["memory", "caused_by", "memory"].edge_index.shape == (2, 0)
