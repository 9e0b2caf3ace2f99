"""Small random memories that every layer learns from, and what layers and files have of them."""

from dataclasses import replace

import numpy as np

from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.stored import learn_layers
from hebb_lab.records import Hints
from tests.graph.cognitive import tag_worlds
from tests.graph.cognitive.directory import made_worlds

RESTLESS = {
    "cycle_memories": 7, "degree_cap": 3, "hyperedge_cap": 2, "entity_degree_cap": 3,
    "merge_min_length": 2, "merge_distance": 1, "hebbian_prune_below": 0.05,
}  # fmt: skip
RULES = {
    "documented": DOCUMENTED.change(**RESTLESS),
    "observed": OBSERVED.change(**RESTLESS),
    "ingested": OBSERVED.change(**RESTLESS, tag_counts_from="ingestion", entity_links="subject"),
}


def random_memories(rng, count=40, chains=False):
    """Tags, sessions and times of one world, entities and relations of another, and hints."""
    named = made_worlds.random_memories(rng, count)
    first, second = rng.integers(0, count, (2, 6)).astype(np.int32)
    apart = first != second
    return replace(
        tag_worlds.random_memories(rng, count, chains=chains),
        mentions=named.mentions, entity_names=named.entity_names,
        entity_types=named.entity_types, relations=named.relations,
        relation_kinds=named.relation_kinds,
        importance=rng.uniform(0.05, 10, count).astype(np.float32),
        hints=Hints(first[apart], second[apart], np.ones(int(apart.sum()), np.float32)),
    )  # fmt: skip


def same(left, right):
    for name, a, b in zip(left._fields, left, right, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype, name
        assert np.asarray(a).tolist() == np.asarray(b).tolist(), name


def same_atoms(left, right):
    for name in ("ptr", "entity", "role", "takes_part", "number", "kind", "weight", "memory"):
        a, b = getattr(left, name), getattr(right, name)
        assert a.dtype == b.dtype, name
        assert a.tolist() == b.tolist(), name
    assert left.next_number == right.next_number
    for a, b in zip(left.incidence(), right.incidence(), strict=True):
        assert a.tolist() == b.tolist()


def by_name(names, table):
    return {
        (names[row[0]], names[row[1]]): tuple(row[2:])
        for row in zip(*(column.tolist() for column in table), strict=True)
    }


def by_names(names, pairs):
    return {frozenset(pair): times for pair, times in by_name(names, pairs).items()}


def assert_stored(graphs, memories, layers):
    """That what was read is what layers of one rule set hold."""
    same(graphs.associations, layers.hebbian.graph(0))
    same(graphs.chain, layers.chain.nodes(0))
    pairs, edges = layers.cross_capture.pairs(0), layers.stdp.edges(0)
    assert by_names(graphs.tags.names, graphs.tags.pairs) == by_names(memories.tag_names, pairs)
    assert by_name(graphs.tags.names, graphs.tags.edges) == by_name(memories.tag_names, edges)
    read, held = graphs.directory, layers.entities.directory(0)
    known = len(held)
    assert read.canonical.tolist() == held.canonical.tolist()
    assert read.names.folded == held.names.folded[:known]
    for entity in range(known):
        assert read.find(held.names.written[entity]) == held.canonical[entity]
        ours, theirs = read.names.types, held.names.types
        assert ours.name_of(read.names.kinds[entity]) == theirs.name_of(held.names.kinds[entity])
    for name in ("ptr", "memory", "weight"):
        assert getattr(read.links, name).tolist() == getattr(held.links, name).tolist()
    same_atoms(read.relations, held.relations)
    for kind in held.relations.kind.tolist():
        assert read.kinds.name_of(kind) == held.kinds.name_of(kind)
    hyper = layers.hyperedges.graph(0)
    same_atoms(graphs.hypergraph.atoms, hyper.atoms)
    assert graphs.hypergraph.kinds.items() == hyper.kinds.items()
    assert graphs.hypergraph.roles.items() == hyper.roles.items()


def learned(memories, rules, known=None):
    return learn_layers(memories, rules, len(memories) if known is None else known)
