"""Edges, chains and relations that a corpus states; what dangles is counted with its line."""

import pytest

from hebb_lab.corpora.attributes import Entities
from hebb_lab.corpora.layout import layout_of
from hebb_lab.corpora.stated import Edge, Relation, Stated, read_stated
from tests.corpora.made import corpus, lines, pack, places, sink

ANN, BOB = {"name": "Ann", "type": "PERSON"}, {"name": "Bob", "type": "PERSON"}


def read(folder, edges=None, chains=None, relations=None, packed=False):
    """(stated, report); None leaves a file out."""
    corpus(folder)
    parts = {"hebbian_edges": edges, "temporal_chains": chains, "entities": relations}
    for name, objects in parts.items():
        if objects is not None:
            (folder / f"{name}.jsonl").write_bytes(lines(objects))
            if packed:
                pack(folder / f"{name}.jsonl")
    into, report = sink()
    known = {"d1", "d2", "d3", "7"}
    return read_stated(layout_of(folder, None), into, report, known, Entities(report)), report


def edge(first, second, **more):
    return {"memoryIdA": first, "memoryIdB": second, **more}


def chain(*documents):
    return {"sessionId": "s", "orderedMemoryIds": list(documents)}


def relation(source, target, kind, *documents):
    return {
        "fromEntity": source, "toEntity": target, "relationType": kind,
        "sourceMemoryIds": list(documents),
    }  # fmt: skip


def test_a_corpus_that_states_nothing_has_nothing(tmp_path):
    stated, report = read(tmp_path)
    assert stated == Stated()
    assert not report.skipped


@pytest.mark.parametrize("packed", [False, True])
def test_each_file_is_read_plain_and_packed(tmp_path, packed):
    stated, report = read(
        tmp_path,
        [edge("d1", "d2", coActivationCount=5), edge("d3", 7)],
        [chain("d2", "d1"), chain("d3", 7)],
        [relation(ANN, BOB, "knows", "d2", "d1")],
        packed,
    )
    assert stated.edges == (Edge("d1", "d2", 5.0), Edge("d3", "7", 1.0))
    assert stated.chains == (("d2", "d1"), ("d3", "7"))
    ann, bob = ("Ann", "PERSON"), ("Bob", "PERSON")
    assert stated.relations == (
        Relation(ann, bob, "KNOWS", "d2"), Relation(ann, bob, "KNOWS", "d1"),
    )  # fmt: skip
    assert not report.skipped
    assert not report.mended


def test_edges_that_cannot_be_are_counted_with_their_lines(tmp_path):
    stated, report = read(
        tmp_path,
        [
            edge("d1", "gone"), edge("d1", "d1"), edge("d1", None), edge("d2", "d1"),
            edge("d1", "d2", coActivationCount=9), edge("d1", "d3", coActivationCount=0),
            edge("d1", "d3", coActivationCount="5"), edge("d1", "d3", coActivationCount=True), "{",
            edge("d1", "d3", coActivationCount=10**30),
        ],
    )  # fmt: skip
    assert stated.edges == (Edge("d2", "d1", 1.0),)
    assert dict(report.skipped) == {
        "edge of a document that is not there": 1,
        "edge of a document with itself": 1,
        "edge without two documents": 1,
        "edge of a pair that was there before: the first is kept": 1,
        "edge whose count is no number above 0 and below 1,000,000": 4,
        "broken record": 1,
    }
    assert places(report, "edge of a document that is not there") == [1]
    assert places(report, "edge of a pair that was there before: the first is kept") == [5]


def test_a_chain_never_runs_in_a_circle_and_no_document_is_in_two(tmp_path):
    stated, report = read(
        tmp_path,
        None,
        [chain("d1", "d2", "d1"), chain("d2", "d3", 7), chain("gone", "d3"), {}, chain("d1", "d2")],
    )
    assert stated.chains == (("d1", "d2"), ("d3", "7"))
    assert dict(report.mended) == {
        "document that a chain holds already: left out": 5,
        "chain with a document that is not there: left out": 1,
    }
    assert places(report, "document that a chain holds already: left out") == [1, 2, 3, 5, 5]
    assert dict(report.skipped) == {"chain of fewer than two documents": 3}


def test_a_file_without_a_chain_leaves_sessions_as_chains(tmp_path):
    stated, report = read(tmp_path, None, [chain("d1")])
    assert stated.chains is None
    assert "no chain in it, so sessions are the chains" in report.warnings[-1]


def test_relations_that_cannot_be_are_counted_with_their_lines(tmp_path):
    stated, report = read(
        tmp_path,
        None,
        None,
        [
            relation({"name": "", "type": "PERSON"}, BOB, "KNOWS", "d1"),
            relation(ANN, {"name": "ANN "}, "KNOWS", "d1"),
            relation(ANN, BOB, "KNOWS"),
            relation(ANN, BOB, None, "gone", "d1", "d1"),
            relation(ANN, {"name": "BOB", "type": "ROBOT"}, "OTHER", "d1"),
        ],
    )
    assert [(r.kind, r.document) for r in stated.relations] == [("OTHER", "d1")]
    assert dict(report.skipped) == {
        "relation without two entities": 1,
        "relation of an entity with itself": 1,
        "relation that no document says": 1,
    }
    assert dict(report.mended) == {
        "entity without a name: left out": 1,
        "entity of a second type: the first written is kept": 2,
        "relation with a document that is not there: left out": 1,
        "document that says a relation twice: once": 1,
        "relation that was there before": 1,
    }
    assert places(report, "relation that no document says") == [3]
