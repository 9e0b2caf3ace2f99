"""traces.jsonl: the edges behind what injection added."""

import json

from tests.experiment.tiny import few, run

BOTH = ["synapse", "transitions"]
INJECTING = {
    "bm25": {"method": "bm25"},
    "half_life_30d": {},
    "additive": {"method": "additive", "base": "bm25"},
    "budget_neutral": {"method": "budget_neutral", "base": "bm25", "layers": BOTH},
}


def lines_of(tmp_path, tables_only, **recall):
    values = few(tmp_path, arms=INJECTING)
    values["recall"].update(recall)
    folder = run(values).folder
    return [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]


def test_the_energies_of_the_edges_make_the_score_of_an_added_node(tmp_path, tables_only):
    lines = lines_of(tmp_path, tables_only)
    added = [(line["arm"], node) for line in lines for node in line["added"]]
    assert {arm for arm, _ in added} == {"additive", "budget_neutral"}
    assert {(arm, *node["edges"]) for arm, node in added} == {
        ("additive", "synapse"), ("budget_neutral", *BOTH),
    }  # fmt: skip
    for arm, node in added:
        edges = [edge for found in node["edges"].values() for edge in found]
        arrived = sum(edge["energy"] for edge in edges if edge["receiver"] == node["node"])
        # where nobody compares, a score that stands too low is lowered to keep the order
        slack = 1e-6 if arm == "additive" else 1.0
        assert 0.3 * arrived - slack <= node["score"] <= 0.3 * arrived + 1e-6


def test_no_more_queries_are_traced_than_asked_for(tmp_path, tables_only):
    lines = lines_of(tmp_path, tables_only, traces=2)
    assert [line["arm"] for line in lines] == ["additive"] * 2 + ["budget_neutral"] * 2


def test_an_added_node_was_not_in_the_list_and_a_displaced_one_was(tmp_path, tables_only):
    for line in lines_of(tmp_path, tables_only):
        assert not {node["node"] for node in line["added"]} & set(line["displaced"])
        assert line["seeds"]
