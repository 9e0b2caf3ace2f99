"""The pipeline with the six layers themselves: what they share, and what they cannot know."""

from dataclasses import fields, replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.layer import Cues, layer_maker, switches_read
from hebb_lab.graph.cognitive.published import OBSERVED
from hebb_lab.graph.cognitive.rules import PARTS, CognitiveRules
from hebb_lab.recall.cognitive import session as sessions
from hebb_lab.recall.cognitive.learning import layer_rules
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.session import keys_of
from hebb_lab.recall.cognitive.trace import first_queries
from hebb_lab.records import Hints, Lists, Relations
from tests.recall.cognitive.asking import some_memories, some_questions

NAMES = ("Margaret", "Margarets", "Bob", "Rob", "Constantinople", "Vancouver", "Eve", "Zanzibar")
BASE = CognitiveRules(
    gate="none", existing="raised", merge="sum", cycle_memories=10, stdp_tau_seconds=1e7,
)  # fmt: skip
FADING = {"hebbian_decay": 0.8, "hebbian_prune_below": 0.7}  # edges go in their second cycle
TURNED = {
    "co_ingestion": ("previous", {}),
    "session_window": (1, {}),
    "hebbian_increment": (2.0, {}),
    "degree_cap": (2, {}),
    "eviction_signals": ("structural", {"degree_cap": 2}),
    "eviction_at": ("insertion", {"degree_cap": 2}),
    "cycle_memories": (25, {}),
    "hebbian_decay": (0.5, {}),
    "hebbian_prune_below": (0.8, {"bridge_protect": 255}),
    "bridge_protect": (1, FADING),
    "bridge_score": ("heuristic", {**FADING, "bridge_protect": 90}),
    "bridge_trees": (1, {**FADING, "bridge_protect": 90, "bridge_score": "trees"}),
    "decay_modulator": ("unclamped", {}),
    "walk": ("dfs", {}),
    "hebbian_depth": (1, {}),
    "weight_scale": ("raw", {}),
    "hebbian_gain": (0.4, {}),
    "hebbian_score": ("similarity_plus", {}),
    "tag_counts_from": ("recall", {}),
    "stdp_plus": (0.2, {}),
    "stdp_minus": (0.01, {}),
    "stdp_tau_seconds": (1e5, {}),
    "stdp_gain": (0.6, {}),
    "temporal_hops": (1, {}),
    "temporal_forward": (0.9, {}),
    "temporal_backward": (0.6, {}),
    "temporal_hop_decay": (0.5, {}),
    "temporal_score": ("similarity_plus_fifth", {}),
    "temporal_links": ("across", {}),
    "retention_days": (7.0, {}),
    "query_entities": ("top_result", {}),
    "entity_links": ("subject", {}),
    "mention_weight": (0.5, {"mention_prune_below": 0.45}),
    "mention_again": (0.05, {"mention_weight": 0.4, "mention_prune_below": 0.45}),
    "mention_decay": (0.5, {}),
    "mention_prune_below": (0.9, {}),
    "merge_distance": (0, {}),
    "merge_min_length": (0, {}),
    "entity_hops": (1, {}),
    "entity_gain": (0.5, {}),
    "entity_attenuation": ("once", {}),
    "entity_score": ("similarity_plus", {}),
    "fan_factor": (False, {}),
    "entity_degree_cap": (1, {}),
    "hyperedge_min": (2, {}),
    "hyperedge_max": (3, {}),
    "hyperedge_cap": (2, {}),
    "hyperedge_eviction": ("weakest", {"hyperedge_cap": 2}),
    "hyperedge_decay": (0.5, {}),
    "hyperedge_prune_below": (0.9, {}),
    "traversal": ("union", {}),
    "cross_gain": (0.5, {}),
    "cross_tag_neighbours": (1, {}),
    "cross_memories_per_tag": (1, {}),
    "gate": ("neighbour", {"gate_threshold": 0.75}),
    "gate_threshold": (0.3, {"gate": "neighbour", "temporal_hop_decay": 0.5}),
    "seed_count": (1, {}),
    "seed_order": ("written", {"seed_count": 1}),
    "paths": ("sum", {"hyperedge_min": 2}),
    "merge": ("max", {}),
    "existing": ("kept", {}),
    **{f"merge_{layer}": (0.5, {}) for layer in PARTS},
    "text_fusion": ("after", {}),
    "arousal_slows_decay": (False, {}),
    "incidence": ("rebuilt", {}),
    "trace": ("metadata", {}),
    "file_format": ("container", {}),
    "layer_numbers": ("sections", {}),
    "nulls": (("chain=empty",), {}),
}  # fmt: skip
"""Each switch: another value, and the rules beside it under which that matters."""

IDLE = {"hyperedges": {"hyperedge_eviction"}}
"""Switches that a layer reads and that change nothing: no hyperedge is strengthened, so that the
weakest is the least recently used."""


def pair(switch):
    """The rules beside a switch, and with it turned."""
    value, beside = TURNED[switch]
    return BASE.change(**beside), BASE.change(**beside, **{switch: value})


@pytest.fixture(scope="module")
def world():
    rng = np.random.default_rng(11)
    plain = some_memories(rng, 60)
    mentions = [sorted(rng.choice(8, rng.integers(0, 5)).tolist()) for _ in range(60)]
    said = np.sort(rng.integers(0, 60, 25)).astype(np.int32)
    first = rng.integers(0, 58, 10).astype(np.int32)
    memories = replace(
        plain,
        time_us=plain.time_us[0] + np.arange(60) * 43_200_000_000,  # half a day apart
        mentions=Lists.of(mentions),
        entity_names=NAMES,
        entity_types=("OTHER",) * 8,
        hints=Hints(first, first + 2, np.ones(10, np.float32)),
        relations=Relations(
            rng.integers(0, 4, 25).astype(np.int32), rng.integers(4, 8, 25).astype(np.int32),
            np.zeros(25, np.int32), said,
        ),
        relation_kinds=("KNOWS",),
    )  # fmt: skip
    asked = some_questions(rng, memories, 24)
    some = rng.integers(0, 8, 48).reshape(24, 2)
    entities = Lists.of([sorted(set(row))[: q % 3] for q, row in enumerate(some.tolist())])
    return memories, replace(asked, cues=Cues(asked.cues.tags, entities))


@pytest.fixture(autouse=True)
def _own_keys():
    """No key of another test is left, and none is left to another."""
    for kept in (layer_rules, keys_of):
        kept.cache_clear()
    yield
    for kept in (layer_rules, keys_of):
        kept.cache_clear()


def same(a, b):
    return all(x.tobytes() == y.tobytes() for x, y in zip(a[:3], b[:3], strict=True)) and all(
        np.array_equal(x.found, y.found) and np.array_equal(x.listed, y.listed)
        and (x.bytes, x.edges, x.failure) == (y.bytes, y.edges, y.failure)
        for x, y in zip(a.uses, b.uses, strict=True)
    )  # fmt: skip


def one_each(rules):
    return [Plan("bm25", (layer,), each) for each in rules for layer in PARTS]


def answered(world, plans):
    return Pipeline(world[0]).answer(world[1], plans, 30)


def unreset(world, plans, monkeypatch):
    """What plans answer where each layer is handed all switches."""
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "layer_rules", lambda rules, layer: rules)
        keys_of.cache_clear()
        answers = answered(world, plans)
    keys_of.cache_clear()
    return answers


def test_every_switch_is_turned():
    assert set(TURNED) == {each.name for each in fields(CognitiveRules)}
    for switch, (value, _) in TURNED.items():
        assert getattr(pair(switch)[0], switch) != value


def test_layers_that_are_handed_what_they_read_alone_find_the_same(world, monkeypatch):
    plans = one_each(dict.fromkeys(rules for switch in TURNED for rules in pair(switch)))
    together = answered(world, plans)
    for plan, a, b in zip(plans, together, unreset(world, plans, monkeypatch), strict=True):
        assert same(a, b), plan
    assert {use.failure for answers in together for use in answers.uses} == {"", "empty"}


@pytest.mark.parametrize("switch", TURNED)
def test_a_turned_switch_answers_alone_as_beside_its_base(world, switch):
    base, turned = (Plan("bm25", PARTS, rules) for rules in pair(switch))
    both = answered(world, [base, turned])
    assert same(both[0], answered(world, [base])[0])
    assert same(both[1], answered(world, [turned])[0])


@pytest.mark.parametrize("layer", PARTS)
def test_each_switch_that_a_layer_reads_changes_what_it_finds(world, layer):
    """So that a switch which a layer forgets to name is missed by the tests above."""
    idle = set()
    for switch in switches_read(layer):
        before, after = answered(world, [Plan("bm25", (layer,), rules) for rules in pair(switch)])
        if same(before, after):
            idle.add(switch)
    assert idle == IDLE.get(layer, set())


@pytest.mark.parametrize(
    ("layer", "switch"),
    [("hebbian", "walk"), ("hebbian", "bridge_trees"), ("chain", "retention_days"),
     ("stdp", "stdp_minus"), ("cross_capture", "paths"), ("entities", "entity_degree_cap"),
     ("hyperedges", "cycle_memories")],
)  # fmt: skip
def test_a_layer_that_forgets_to_name_a_switch_is_found_out(world, layer, switch, monkeypatch):
    plans = [Plan("bm25", (layer,), rules) for rules in pair(switch)]
    expected = unreset(world, plans, monkeypatch)
    fewer = tuple(name for name in switches_read(layer) if name != switch)
    monkeypatch.setattr(layer_maker(layer), "reads", fewer)
    layer_rules.cache_clear()
    assert not all(map(same, expected, answered(world, plans)))


def test_rules_that_other_layers_read_are_learned_and_expanded_once(world):
    memories, asked = world
    late = replace(asked, known=np.full(24, 60), time_us=np.full(24, memories.time_us[-1] + 1))
    calls = {layer: [] for layer in PARTS}

    def make(name, memories, rules):
        calls[name].append(len(rules))
        return layer_maker(name)(memories, rules)

    rules = [BASE.change(temporal_hops=hops) for hops in (1, 2, 3)]
    rules += [BASE.change(stdp_gain=0.6), BASE.change(cross_gain=0.5)]
    Pipeline(memories, make=make).answer(late, [Plan("bm25", PARTS, each) for each in rules], 30)
    assert calls == {
        "hebbian": [1], "stdp": [2], "chain": [3], "entities": [1], "hyperedges": [1],
        "cross_capture": [2],
    }  # fmt: skip


@pytest.mark.parametrize(
    "rules",
    [BASE, BASE.change(tag_counts_from="recall", query_entities="top_result", paths="sum"),
     OBSERVED.change(gate="none", existing="raised", hyperedge_min=2)],
    ids=["documented", "recall", "observed"],
)  # fmt: skip
def test_the_six_layers_know_nothing_of_what_comes_later(world, rules):
    memories, asked = world
    plans = [Plan("bm25", layers, rules) for layers in (*((each,) for each in PARTS), PARTS)]
    whole = answered(world, plans)
    for count in (4, 15):
        known = int(asked.known[count - 1])
        answers = answered((other_future(memories, known), first_queries(asked, count)), plans)
        for plan, then, now in zip(plans, answers, whole, strict=True):
            for a, b in zip(then[:3], now[:3], strict=True):
                assert np.array_equal(a, b[:count]), plan
            for a, b in zip(then.uses, now.uses, strict=True):
                assert np.array_equal(a.found, b.found[:count]), plan
                assert np.array_equal(a.listed, b.listed[:count]), plan
    assert all(answers.uses[0].found.any() for answers in whole[:1] + whole[2:])


def other_future(memories, known):
    """The same memories up to some place; after it all is otherwise."""
    rest = len(memories) - known
    hints, relations = memories.hints, memories.relations
    later, said_later = hints.second >= known, relations.memory >= known

    def lists(held, names):
        rows = [held.row(i).tolist() for i in range(known)]
        return Lists.of([*rows, *([i % names, (i + 1) % names] for i in range(rest))])

    def turned(values, value):
        changed = values.copy()
        changed[known:] = value
        return changed

    return replace(
        memories,
        texts=(*memories.texts[:known], *("x",) * rest),
        time_us=np.append(memories.time_us[:known], memories.time_us[-1] + 1 + np.arange(rest)),
        session=turned(memories.session, memories.session[known - 1]),
        importance=turned(memories.importance, 9.0),
        arousal=turned(memories.arousal, 255),
        pinned=~turned(~memories.pinned, False),
        tags=lists(memories.tags, 6),
        mentions=lists(memories.mentions, 8),
        hints=Hints(
            np.where(later, 0, hints.first).astype(np.int32), hints.second,
            np.where(later, 50, hints.times).astype(np.float32),
        ),
        relations=relations._replace(
            target=np.where(said_later, 7, relations.target).astype(np.int32)
        ),
    )  # fmt: skip
