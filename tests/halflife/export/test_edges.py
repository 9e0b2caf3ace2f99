"""Half-lives of single edges, from a fit to the file and to the store."""

import json

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.export import edge_frame, write_exports
from hebb_lab.halflife.export.edges import SCHEMA, read_edges
from hebb_lab.halflife.models.empirical_bayes import EdgeHalfLives
from tests.halflife.export.made import result
from tests.halflife.made import history, pairs


def found():
    """Three edges of a small log, of which the first and the last have a half-life of their own."""
    facts = history([*pairs((0, 0), (1, 0), (2, 1), (3, 0)), *pairs((4, 2), (9, 2), space=1)])
    edges = EdgeHalfLives(
        np.arange(3), np.array([4.0, 5.0, 6.0]), np.array([3.0, 0.0, 5.0]),
        np.array([5.0, np.inf, 7.0]), np.array([True, False, True]),
    )  # fmt: skip
    return facts, edges


def test_edges_are_named_by_their_nodes_and_their_namespace():
    facts, edges = found()
    frame = edge_frame(facts, edges)
    assert dict(frame.schema) == SCHEMA
    ends = facts.graph.edge_index.numpy()
    for row in frame.to_dicts():
        names = [facts.graph.nodes[end] for end in ends[:, row["edge"]]]
        space = facts.graph.edge_namespace.numpy()[row["edge"]]
        assert [row["a"], row["b"]] == names
        assert row["namespace"] == facts.graph.namespaces[space]
    assert sorted(frame["count"].to_list()) == [1, 2, 3]


def test_what_is_stored_reaches_the_store_most_often_reinforced_first(tmp_path):
    facts, edges = found()
    frame = edge_frame(facts, edges)
    frame.write_parquet(tmp_path / "edges.parquet")
    assert read_edges(tmp_path / "edges.parquet").equals(frame)
    write_exports(result(), tmp_path)
    store = json.loads((tmp_path / "synapse_store.json").read_text())
    assert [edge["half_life_days"] for edge in store["edges"]] == [4.0, 6.0]
    assert store["edges_withheld"]["not supported by shrinkage"] == 1


def test_a_run_without_edges_has_none_to_read(tmp_path):
    assert read_edges(tmp_path / "edges.parquet") is None


def test_a_table_of_edges_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "edges.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="cannot be read"):
        write_exports(result(), tmp_path)
    pl.DataFrame({"edge": [1]}).write_parquet(tmp_path / "edges.parquet")
    with pytest.raises(InputError, match="lacks the columns a, b, count, half_life"):
        write_exports(result(), tmp_path)
