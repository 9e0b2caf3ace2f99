"""synapse_store.json: what the store's own tuning can take, and nothing that the log denies."""

import json
import math

import polars as pl
import pytest

from hebb_lab.halflife.export import synapse_store, write_exports
from hebb_lab.halflife.export.synapse_store import clipped_count, store_of
from tests.halflife.export.made import NOTHING, estimate, model, result

EDGES = {
    "edge": [0, 1, 2, 3, 4],
    "a": ["a", "a", "b", "c", "d"],
    "b": ["b", "c", "c", "d", "e"],
    "namespace": ["personal"] * 5,
    "count": [9, 20, 99, 99, 3],
    "half_life": [5.0, 200.0, 7.0, None, 9.0],
    "low": [4.0, 100.0, 1.0, 1.0, 8.0],
    "high": [6.0, 300.0, 50.0, 2.0, 10.0],
    "supported": [True, True, False, True, True],
}


def fitted(**groups):
    return result(model("frailty", {f"half_life[{name}]": e for name, e in groups.items()}))


def test_half_lives_are_clipped_to_the_stores_bounds_and_it_says_which():
    store = store_of(
        fitted(
            personal=estimate(0.36, 0.3, 0.4), shared=estimate(400.0, 300.0, None),
            ephemeral=estimate(3.5, 3.0, 4.0),
        )
    )  # fmt: skip
    assert store["defaults_days"] == {"personal": 3.0, "shared": 120.0, "ephemeral": 3.5}
    assert store["clipped"] == [
        "personal: fitted 0.36 days, below the store's 3: exported as 3",
        "shared: fitted 400 days, above the store's 120: exported as 120",
    ]
    assert store["fitted_days"]["personal"] == {
        "half_life": 0.36, "low": 0.3, "high": 0.4, "events": 100,
    }  # fmt: skip


def test_the_bounds_stand_under_the_names_of_the_stores_tuner():
    assert store_of(result())["tuning"] == {"DECAY_RATE_MIN": 3.0, "DECAY_RATE_MAX": 120.0}


def test_a_namespace_without_a_half_life_has_its_verdict_and_no_default():
    store = store_of(fitted(personal=estimate(10.0, 9.0, 11.0), shared=NOTHING))
    assert store["defaults_days"] == {"personal": 10.0, "shared": None}
    assert store["verdicts"].keys() == {"shared"}


def test_a_half_life_that_the_log_does_not_identify_is_no_default():
    beyond = {**estimate(400.0, 23.0, None), "verdict": "not identifiable above 23 days"}
    store = store_of(fitted(personal=estimate(10.0, 9.0, 11.0), shared=beyond))
    assert store["defaults_days"] == {"personal": 10.0, "shared": None}
    assert store["clipped"] == []
    assert store["verdicts"] == {"shared": "not identifiable above 23 days"}
    assert store["fitted_days"]["shared"]["half_life"] == 400.0


def test_beside_a_clipped_half_life_of_an_edge_stands_what_was_fitted_with_its_own_interval():
    edges = pl.DataFrame({**EDGES, "half_life": [1.0] * 5, "low": [0.5] * 5, "high": [2.0] * 5})
    for edge in store_of(result(), edges)["edges"]:
        assert edge["half_life_days"] == 3.0
        fitted = [edge[f"fitted_{name}days"] for name in ("", "low_", "high_")]
        assert fitted == [1.0, 0.5, 2.0]


def test_values_that_are_a_bound_of_the_store_are_counted_of_namespaces_and_of_edges():
    store = store_of(fitted(personal=estimate(0.36, 0.3, 0.4)), pl.DataFrame(EDGES))
    assert clipped_count(store) == 2
    assert clipped_count(store_of(fitted(personal=estimate(9.0, 8.0, 10.0)))) == 0
    assert clipped_count(store_of(result(clock="sessions"))) == 0


def test_where_it_comes_from_is_part_of_it():
    told = store_of(result())["provenance"]
    assert told["run"] == "halflife/0123456789ab"
    assert told["model"] == "frailty"
    assert told.keys() >= {"commit", "code_version", "seed", "dataset", "clock", "rules"}


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (result(clock="sessions"), "counted in sessions and the store counts days of wall time"),
        (result(clock="active_days"), "counted in active days"),
        (result(group_by="folder"), "those of each folder and the store has defaults for names"),
        (fitted(personal=NOTHING), "No learned model has a half-life that this log identifies"),
    ],
)
def test_what_the_store_cannot_take_is_withheld_with_the_reason(made, why):
    store = store_of(made, pl.DataFrame(EDGES))
    assert why in store["withheld"]
    assert store.keys() == {"format", "provenance", "withheld"}


def test_only_edges_that_shrinkage_supports_are_handed_on_most_often_reinforced_first():
    store = store_of(result(), pl.DataFrame(EDGES))
    assert [(edge["node_a"], edge["node_b"]) for edge in store["edges"]] == [
        ("a", "c"), ("a", "b"), ("d", "e"),
    ]  # fmt: skip
    assert store["edges_withheld"]["not supported by shrinkage"] == 1
    assert store["edges"][0] == {
        "node_a": "a", "node_b": "c", "namespace": "personal", "half_life_days": 120.0,
        "fitted_days": 200.0, "fitted_low_days": 100.0, "fitted_high_days": 300.0,
    }  # fmt: skip
    assert store["edges_clipped"] == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [("high", None), ("high", math.inf), ("low", 0.0), ("low", None), ("half_life", math.nan)],
)
def test_an_edge_whose_interval_is_open_is_withheld_however_narrow(column, value):
    changed = [value if place == 1 else old for place, old in enumerate(EDGES[column])]
    store = store_of(result(), pl.DataFrame({**EDGES, column: changed}))
    assert [edge["node_b"] for edge in store["edges"]] == ["b", "e"]
    assert store["edges_withheld"]["an end of the interval is open"] == 2


def test_edges_beyond_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(synapse_store, "MOST_EDGES", 2)
    store = store_of(result(), pl.DataFrame(EDGES))
    assert [edge["node_b"] for edge in store["edges"]] == ["c", "b"]
    assert store["edges_withheld"]["beyond the first 2"] == 1


def test_without_stored_edges_there_is_no_such_key(tmp_path):
    write_exports(result(), tmp_path)
    assert "edges" not in json.loads((tmp_path / "synapse_store.json").read_text())


def test_stored_edges_are_found_in_the_runs_folder(tmp_path):
    pl.DataFrame(EDGES).write_parquet(tmp_path / "edges.parquet")
    write_exports(result(), tmp_path)
    assert len(json.loads((tmp_path / "synapse_store.json").read_text())["edges"]) == 3


def test_an_empty_table_of_edges_hands_none_on(tmp_path):
    pl.DataFrame(EDGES).clear().write_parquet(tmp_path / "edges.parquet")
    write_exports(result(), tmp_path)
    assert json.loads((tmp_path / "synapse_store.json").read_text())["edges"] == []
