"""The compiled directory and its layers against plain Python, over random worlds."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.entities import EntityLayer
from hebb_lab.graph.cognitive.hyperedges import HyperedgeLayer
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from tests.graph.cognitive.directory.made_worlds import asked, random_memories
from tests.graph.cognitive.directory.plain import PlainDirectory

OPEN = replace(DOCUMENTED, gate="none", cycle_memories=7, merge_min_length=3)
RULES = (
    OPEN,
    replace(OPEN, paths="sum", entity_attenuation="once", entity_hops=3, entity_degree_cap=2),
    replace(OPEN, hyperedge_cap=3, mention_decay=0.6, hyperedge_decay=0.5, merge_distance=1),
    replace(OPEN, hyperedge_cap=2, hyperedge_min=2, hyperedge_max=4, hyperedge_eviction="weakest"),
    replace(OPEN, traversal="union", entity_hops=3, hyperedge_cap=4, merge_distance=0),
    replace(OPEN, traversal="union", paths="sum", fan_factor=False, query_entities="top_result"),
    replace(OPEN, entity_attenuation="once", entity_hops=2),
    replace(OPEN, gate="neighbour", gate_threshold=0.3, entity_gain=0.7, mention_again=0.0),
    replace(DOCUMENTED, cycle_memories=5),
    replace(OBSERVED, cycle_memories=9, gate="none"),
)
WORLDS = range(12)


def links_of(directory):
    entity = np.repeat(np.arange(len(directory)), directory.links.counts())
    return {
        (int(e), int(m)): float(w)
        for e, m, w in zip(entity, directory.links.memory, directory.links.weight, strict=True)
    }


def atoms_of(atoms, kinds):
    found = {}
    for r in range(len(atoms)):
        own = slice(atoms.ptr[r], atoms.ptr[r + 1])
        members = atoms.entity[own].tolist()
        parts = {e for e, held in zip(members, atoms.takes_part[own], strict=True) if held}
        found[int(atoms.number[r])] = (
            members, parts, kinds.name_of(int(atoms.kind[r])), int(atoms.used[r]),
            int(atoms.memory[r]), pytest.approx(float(atoms.weight[r]), rel=1e-5),
        )  # fmt: skip
    return found


def plain_atoms(atoms):
    return {a.number: (a.members, a.parts, a.kind, a.used, a.memory, a.weight) for a in atoms}


def expansion_of(expansion, q):
    own = slice(expansion.ptr[q], expansion.ptr[q + 1])
    assert (np.diff(expansion.memory[own]) > 0).all()
    return {
        int(m): (
            pytest.approx(float(e), rel=1e-5), pytest.approx(float(a), rel=1e-5), int(o), int(h)
        )
        for m, e, a, o, h in zip(*(part[own] for part in expansion[1:]), strict=True)
    }  # fmt: skip


@pytest.mark.parametrize("seed", WORLDS)
def test_what_is_learned_is_what_plain_python_learns(seed):
    memories = random_memories(np.random.default_rng(seed))
    entities, hyperedges = EntityLayer(memories, RULES), HyperedgeLayer(memories, RULES)
    plain = [PlainDirectory(memories, each) for each in RULES]
    for known in (13, 28, 40):
        entities.advance(known)
        hyperedges.advance(known)
        for c, model in enumerate(plain):
            model.learn(known)
            directory, graph = entities.directory(c), hyperedges.graph(c)
            assert entities.stream.names.folded[: len(directory)] == model.names
            assert directory.canonical.tolist() == [
                model.canonical(e) for e in range(len(model.names))
            ]
            assert links_of(directory) == pytest.approx(model.links, rel=1e-5)
            assert links_of(hyperedges.directory(c)) == pytest.approx(model.links, rel=1e-5)
            relations = atoms_of(directory.relations, directory.kinds)
            assert list(plain_atoms(model.relations).values()) == list(relations.values())
            assert plain_atoms(model.hyperedges) == atoms_of(graph.atoms, graph.kinds)


@pytest.mark.parametrize("seed", WORLDS)
@pytest.mark.parametrize(
    ("layer", "walk"), [(EntityLayer, "entities"), (HyperedgeLayer, "hyperedge_layer")]
)
def test_what_is_found_is_what_plain_python_finds(layer, walk, seed):
    rng = np.random.default_rng(seed)
    memories = random_memories(rng)
    built = layer(memories, RULES)
    for known in (20, 40):
        built.advance(known)
        seeds, cues = asked(memories, rng, known)
        found = built.expand(seeds, cues, range(len(RULES)))
        for c, rules in enumerate(RULES):
            model = PlainDirectory(memories, rules).learn(known)
            for q in range(len(seeds)):
                own = slice(seeds.ptr[q], seeds.ptr[q + 1])
                pairs = list(zip(seeds.memory[own].tolist(), seeds.score[own], strict=True))
                expected = getattr(model, walk)(pairs, cues.entities.row(q).tolist())
                assert expected == expansion_of(found[c], q)


@pytest.mark.parametrize("seed", WORLDS)
def test_while_nothing_strengthens_a_hyperedge_the_weakest_is_the_least_recently_used(seed):
    rng = np.random.default_rng(seed)
    memories = random_memories(rng)
    capped = replace(OPEN, hyperedge_cap=2, hyperedge_min=2)
    layer = HyperedgeLayer(memories, (capped, replace(capped, hyperedge_eviction="weakest")))
    layer.advance(40)
    assert np.diff(layer.graph(0).atoms.takes_part.astype(int)).any()  # some were evicted
    one, other = (layer.graph(c).atoms for c in range(2))
    for part in ("number", "entity", "takes_part", "weight"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


@pytest.mark.parametrize("seed", WORLDS)
@pytest.mark.parametrize("layer", [EntityLayer, HyperedgeLayer])
def test_to_learn_in_steps_is_to_learn_at_once_and_the_future_changes_nothing(layer, seed):
    rng = np.random.default_rng(seed)
    memories = random_memories(rng)
    seeds, cues = asked(memories, rng, 22)
    stepped, at_once = layer(memories, RULES), layer(memories, RULES)
    for known in (1, 2, 9, 9, 15, 22):
        stepped.advance(known)
    at_once.advance(22)
    past, _ = replace(memories, scope=(np.arange(40) >= 22).astype(np.int32)).within(0)
    alone = layer(past, RULES)
    alone.advance(22)
    for other in (at_once, alone):
        for a, b in zip(*(each.expand(seeds, cues, range(len(RULES))) for each in (stepped, other)),
                        strict=True):  # fmt: skip
            for one, two in zip(a, b, strict=True):
                np.testing.assert_array_equal(one, two)
