"""Seeds from structure and from documents. T pinned by a test of v3.3.0, M measured."""

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days
from hebb_lab.graph.store.documents import Document, document_edges, seed_documents
from hebb_lab.graph.store.seeding import record_structure, seed_structure, structural_weight

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
CALL = {"source": "A", "target": "B", "relation": "calls"}
AB = ("A", "B", "shared")


def built(rules, rows, builds=1):
    store = SynapseStore(rules)
    for _ in range(builds):
        record_structure(store, rows)
        seed_structure(store, 0)
    return store


# --- structure


@pytest.mark.parametrize(
    ("count", "weight"),
    [(1, 0.2916), (2, 0.3159), (3, 0.3332), (4, 0.3466), (5, 0.3575), (10, 0.3939), (50, 0.4859),
     (1000, 0.6645), (1808, 0.70), (50_000, 0.70)],
)  # fmt: skip
def test_a_structural_weight_grows_with_the_logarithm_of_the_count(count, weight):
    """min(.70, .25 + .06*ln(n+1)); T: call_count 50000 -> .70."""
    assert structural_weight(count) == pytest.approx(weight, abs=5e-5)


@BOTH
def test_two_rows_are_two_edges(rules):
    """T: structural: 2 rows -> 2."""
    store = SynapseStore(rules)
    rows = [CALL, {"source": "B", "target": "C", "relation": "imports_from"}]
    assert record_structure(store, rows) == seed_structure(store, 0) == 2
    weights = store.edges(0)
    assert list(weights) == [AB, ("B", "C", "shared")]
    assert all(0 < weight <= 0.70 for weight in weights.values())


@BOTH
def test_seeding_twice_is_one_edge_that_counts_2(rules):
    """T: seeding twice -> 1 row, count 2."""
    store = SynapseStore(rules)
    record_structure(store, [CALL])
    seed_structure(store, 0)
    seed_structure(store, 0)
    assert store.edges(0) == {AB: pytest.approx(0.2916, abs=5e-5)}
    assert store.count_of("A", "B", 0, "shared") == 2


@BOTH
def test_structural_edges_live_in_shared(rules):
    """T: ns shared."""
    assert list(built(rules, [CALL]).edges(0)) == [AB]


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ({"source": "A", "target": "B", "relation": "rationale_for"}, 0),
        ({"source": "A", "target": "B", "relation": "shares_data_with"}, 0),
        ({"source": "A", "target": "A", "relation": "calls"}, 0),
        ({"source": "", "target": "A", "relation": "calls"}, 0),
        ({"_src": "A", "_tgt": "B", "label": "calls"}, 1),
        ({"source": "A", "target": "B", "kind": "contains"}, 1),
    ],
)
def test_unknown_relations_and_self_loops_are_skipped_and_both_spellings_read(row, kept):
    """T: unknown relations skipped, self loops skipped, _src/_tgt keys accepted."""
    assert record_structure(SynapseStore(OBSERVED), [row]) == kept


def test_the_count_is_of_builds_times_parallel_rows_not_of_calls():
    """call_count += 1 for each row at each build."""
    store = built(OBSERVED, [CALL, CALL], builds=3)
    assert store.structure == {("A", "B", "call"): 6}
    assert store.edges(0)[AB] == pytest.approx(structural_weight(6))


@pytest.mark.parametrize(
    ("rows", "builds"),
    [
        ([CALL], 5),
        ([CALL, {**CALL, "source": "B", "target": "A"}, {**CALL, "relation": "uses"}], 2),
    ],
)
def test_after_five_builds_or_fewer_a_seed_is_potentiated(rows, builds):
    """M: A->B calls, B->A calls, A->B uses gives n=3 per build; LTP after 5 builds."""
    store = built(OBSERVED, rows, builds)
    assert store.count_of("A", "B", 0, "shared") >= 5
    store.decay(days(10_000))
    assert store.edges(days(10_000)) == {AB: 0.20}


def test_a_seed_keeps_the_larger_weight_and_is_active_again():
    """On conflict weight = MAX, last_activated = now, half_life NULL (60 d)."""
    store = SynapseStore(OBSERVED)
    store.reinforce(["A", "B"], 0, strength=2.0, namespace="shared")
    record_structure(store, [CALL])
    seed_structure(store, days(60))
    assert store.edges(days(60)) == {AB: pytest.approx(0.60)}
    store.decay(days(120))
    assert store.edges(days(120)) == {AB: pytest.approx(0.30)}


def test_a_seeded_store_is_not_cold():
    """M: a zero-usage project has shared edges and non-empty recall after build()."""
    assert built(DOCUMENTED, [CALL]).spread(["A"], 0) != []


# --- documents


def weights(documents, labels):
    return document_edges(documents, labels)


def decision(name, text, **fields):
    return Document(f"decision:{name}.20260801", text, **fields)


@pytest.mark.parametrize(
    ("text", "node", "label", "weight"),
    [
        ("The audit_log_data function needs it.", "e_audit_py__log_fn", "audit_log_data", 0.40),
        ("Implement engine audit logging.", "engine_audit_py__fn", "other_thing", 0.25),
        ("We use postgres connect here.", "engine_postgres_py__connect_fn", "other_thing", 0.25),
        ("The engine. Later, audit came.", "engine_audit_py__fn", "other_thing", 0.20),
        ("Update the engine/billing.py file.", "engine_billing_py__h", "invoice_run", 0.25),
        ("The server was discussed.", "ingest_server_py__fn", "cmd_ingest_fn", None),
        ("A util for all.", "engine_util_py__helper_fn", "util_helper", None),
    ],
)
def test_a_document_is_tied_to_code_by_its_words(text, node, label, weight):
    """T: label match .40, adjacent components .25, one component .20, generic words nothing."""
    edges = weights([decision("d", text)], {node: label})
    assert list(edges.values()) == ([] if weight is None else [weight])


def test_a_word_of_a_third_of_all_ids_says_nothing():
    labels = {f"engine_{word}_py__fn": word for word in ("alpha", "bravo", "charlie", "delta")}
    assert weights([decision("d", "The engine was discussed.")], labels) == {}


def test_documents_with_a_rare_tag_in_common_are_tied():
    """T: shared rare tag .20 (2 of 11 documents: 18 % < 20 %)."""
    two = [decision(name, "Text.", tags=frozenset({"rare"})) for name in ("one", "two")]
    rest = [decision(f"f{n}", "Text.", tags=frozenset({f"t{n}"})) for n in range(9)]
    key = ("decision:one.20260801", "decision:two.20260801")
    assert weights([*two, *rest], {}) == {key: 0.20}
    assert weights([*two, *rest[:8]], {}) == {}


def test_a_title_in_the_text_of_another_document_ties_them():
    """T: title reference .25."""
    adopt = decision("adopt", "For audits.", title="Adopt PostgreSQL")
    review = Document("meeting:r", "We discussed the Adopt PostgreSQL decision.", title="Review")
    assert weights([adopt, review], {}) == {("decision:adopt.20260801", "meeting:r"): 0.25}


@BOTH
def test_a_second_run_adds_nothing_and_counts_nothing_up(rules):
    """T: second run adds 0 and keeps count 1."""
    store = SynapseStore(rules)
    documents = [decision("trail", "Important decision about audit trails.")]
    labels = {"engine_audit_py__log_fn": "audit_log_data"}
    assert seed_documents(store, documents, labels, 0) == 1
    assert seed_documents(store, documents, labels, days(1)) == 0
    ((a, b, namespace),) = store.edges(days(1))
    assert (a < b, namespace) == (True, "shared")
    assert store.count_of(a, b, days(1), "shared") == 1


def test_a_document_is_not_tied_to_itself():
    same = decision("self", "A decision about itself.")
    assert weights([same], {same.id: "decision"}) == {}
    assert seed_documents(SynapseStore(OBSERVED), [], {"a": "b"}, 0) == 0
