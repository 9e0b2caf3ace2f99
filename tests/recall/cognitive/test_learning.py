import numpy as np
import pytest

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.cognitive import learning
from hebb_lab.recall.cognitive.learning import (
    LayerKey,
    Shelf,
    joined,
    layer_rules,
)
from hebb_lab.records import Lists
from tests.recall.cognitive import fake
from tests.recall.cognitive.asking import some_memories

CHAIN = LayerKey("chain", "given", None)
HEBBIAN = LayerKey("hebbian", "given", None)
SEEDS = Seeds(np.array([0, 1]), np.array([3], np.int32), np.array([2.0], np.float32))
CUES = Cues(Lists.of([[]]), Lists.of([[]]))
PLAIN, DEEP, BAD = (CognitiveRules(hebbian_depth=hops) for hops in (3, 5, 13))


@pytest.fixture
def shelf():
    fake.Neighbours.calls.clear()
    memories = some_memories(np.random.default_rng(0), 20)
    return Shelf(lambda _: memories, fake.make)


def grow(shelf, key, rules, known=20, now=0):
    shelf.prepare(key, rules, known)
    return shelf.expand(key, rules, known, now, SEEDS, CUES)


def test_a_layer_sees_the_switches_that_it_reads_and_its_own_null_alone():
    turned = CognitiveRules(
        seed_count=3, merge="sum", merge_chain=0.0, text_fusion="after", existing="raised",
        gate="direct_match", gate_threshold=0.1, nulls=("stdp=empty",), hebbian_depth=1,
        temporal_hops=2, stdp_gain=0.5,
    )  # fmt: skip
    assert layer_rules(turned, "chain") == CognitiveRules(gate="none", temporal_hops=2)
    assert layer_rules(turned, "hebbian") == CognitiveRules(gate="none", hebbian_depth=1)
    assert layer_rules(turned, "stdp") == CognitiveRules(stdp_gain=0.5, nulls=("stdp=empty",))
    assert layer_rules(CognitiveRules(gate_threshold=0.1), "chain").gate_threshold == 0.1
    assert layer_rules(CognitiveRules(gate_threshold=0.1), "stdp") == CognitiveRules()


def test_layers_that_were_learned_are_not_learned_again(shelf):
    grow(shelf, CHAIN, [PLAIN, DEEP])
    grow(shelf, CHAIN, [DEEP, PLAIN])
    assert fake.Neighbours.calls == {"made": 1, "rules": 2, "expanded": 2}
    grow(shelf, CHAIN, [PLAIN, BAD])
    assert fake.Neighbours.calls["rules"] == 3


def test_a_layer_that_would_have_to_forget_is_learned_anew(shelf):
    late = grow(shelf, CHAIN, [PLAIN], 20)[PLAIN]
    early = grow(shelf, CHAIN, [PLAIN], 5)[PLAIN]
    assert late.expansion.memory.tolist() == [4, 5]
    assert early.expansion.memory.tolist() == [4]
    assert (late.bytes, early.edges) == (160, 5)
    assert fake.Neighbours.calls["made"] == 2


def test_a_rule_set_that_fails_leaves_the_others_alone_and_is_told_once(shelf, caplog):
    for _ in range(2):
        found = grow(shelf, HEBBIAN, [PLAIN, BAD, DEEP])
        assert found[BAD].failure == "RuntimeError: thirteen hops"
        assert len(found[BAD].expansion.memory) == 0
        assert len(found[BAD].expansion) == 1
        for good in (PLAIN, DEEP):
            assert found[good].failure == ""
            assert found[good].expansion.memory.tolist() == [4, 5]
    told = [record for record in caplog.records if "left out" in record.getMessage()]
    assert len(told) == 1
    assert shelf.layer(HEBBIAN, BAD)[0] is None
    assert shelf.layer(HEBBIAN, PLAIN)[0] is not None


def test_a_layer_that_cannot_be_made_is_a_failure_not_an_error(shelf):
    missing = LayerKey("hyperedges", "given", None)
    found = grow(shelf, missing, [PLAIN])
    assert found[PLAIN].failure == "KeyError: 'hyperedges'"


def test_recalls_are_learned_when_time_has_passed_them(shelf):
    taught = LayerKey("chain", "given", ("teacher",))
    rules = CognitiveRules(tag_counts_from="recall")
    shelf.prepare(taught, [rules], 20)
    shelf.teach(taught, [rules], 100, np.array([[11, 12], [13, -1]], np.int32))

    def offered(now):
        return shelf.expand(taught, [rules], 20, now, SEEDS, CUES)[rules].expansion.memory.tolist()

    assert offered(100) == [4, 5]
    assert offered(101) == [4, 5, 13]
    assert offered(102) == [4, 5, 13]  # once
    shelf.prepare(taught, [rules], 20)
    assert offered(200) == [4, 5]  # another run of queries begins untaught


def test_what_learning_takes_is_told_apart_from_expansion_and_shared(shelf, monkeypatch):
    clock = iter([0.0, 8.0, 10.0, 20.0, 24.0, 30.0])
    monkeypatch.setattr(learning.time, "perf_counter", lambda: next(clock))
    first = grow(shelf, CHAIN, [PLAIN, DEEP], 10)
    assert [(g.learning_seconds, g.seconds) for g in first.values()] == [(4.0, 1.0)] * 2
    later = grow(shelf, CHAIN, [PLAIN], 20)[PLAIN]
    assert (later.learning_seconds, later.seconds) == (6.0, 6.0)
    assert joined([first[PLAIN], later]).learning_seconds == 6.0


def test_expansions_of_consecutive_queries_are_joined(shelf):
    grown = grow(shelf, CHAIN, [PLAIN])[PLAIN]
    both = joined([grown, grown])
    assert both.expansion.ptr.tolist() == [0, 2, 4]
    assert both.expansion.memory.tolist() == [4, 5, 4, 5]
    assert both.expansion.hop.dtype == np.int8
    assert both.seconds == 2 * grown.seconds
    assert joined([grown]) is grown
