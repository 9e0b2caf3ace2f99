from functools import partial

import numpy as np
import pytest

from hebb_lab.graph.cognitive.directory.hypergraph import Hypergraph
from hebb_lab.graph.cognitive.directory.recall.asked import Asked
from hebb_lab.graph.cognitive.directory.recall.collect import Held, Visits, collect
from hebb_lab.graph.cognitive.directory.recall.queries import one_cue, way_back
from hebb_lab.graph.cognitive.directory.recall.walks import related, together, union
from hebb_lab.graph.cognitive.layer import CUE, Cues
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.kernels.choose import backend_named
from hebb_lab.records import Lists


def starts(*entities):
    rows = Lists.of([list(row) for row in entities])
    count = len(entities)
    return Asked(rows.ptr, rows.ids, np.ones(count), np.full(count, CUE, np.int32))


def hypergraph(*hyperedges, entities=40, least=3):
    graph = Hypergraph(DOCUMENTED.change(hyperedge_min=least))
    graph.atoms.grow(entities)
    for memory, members in enumerate(hyperedges):
        graph.add(members, memory=memory)
    return graph.atoms


def test_two_entities_lead_to_the_hyperedges_that_hold_both():
    atoms = hypergraph([0, 1, 2], [0, 3, 4], [1, 0, 5], [6, 7, 8])
    fan = np.full(40, 0.5)
    visits = together(starts([0, 1]), atoms, fan, hops=1, gain=0.25, least=0.0)
    assert visits.row.tolist() == [0, 2]
    assert visits.factor == pytest.approx([0.5, 0.5])  # share 1 × fan 0.5
    visits = together(starts([0, 1, 9]), atoms, fan, hops=1, gain=0.25, least=0.0)
    assert visits.factor == pytest.approx([2 / 3 * 0.5] * 2)


def test_where_no_hyperedge_holds_two_those_of_one_are_found():
    atoms = hypergraph([0, 1, 2], [3, 4, 5])
    visits = together(starts([0, 3]), atoms, np.ones(40), hops=1, gain=1.0, least=0.0)
    assert (visits.row.tolist(), visits.factor.tolist()) == ([0, 1], [0.5, 0.5])


def test_pairs_intersect_as_the_kernel_for_lists_says():
    rng = np.random.default_rng(2)
    atoms = hypergraph(*(rng.choice(12, 3, replace=False).tolist() for _ in range(40)))
    ptr, rows = atoms.incidence()
    for a, b in rng.choice(12, (20, 2)):
        if a == b:
            continue
        common, _ = backend_named("cpu").intersect(
            rows, ptr.astype(np.int64), np.array([a], np.int64), np.array([b], np.int64)
        )
        if len(common):
            visits = together(starts([a, b]), atoms, np.ones(40), hops=1, gain=1.0, least=0.0)
            assert sorted(visits.row.tolist()) == common.tolist()


def test_the_second_hop_goes_by_the_entities_of_the_first():
    atoms = hypergraph([0, 1, 2], [2, 3, 4], [4, 5, 6])
    fan = np.full(40, 0.5)
    visits = together(starts([0]), atoms, fan, hops=2, gain=0.25, least=0.0)
    assert visits.row.tolist() == [0, 1]
    assert visits.factor == pytest.approx([0.5, 0.5 * 0.5 * 0.25])
    assert (visits.via.tolist(), visits.entity.tolist()) == ([-1, 0], [0, 2])


def test_gain_once_counts_the_fan_of_the_asked_entity_and_not_of_those_between():
    fan = np.full(40, 0.5)
    fan[0] = 0.8
    atoms = hypergraph([0, 1, 2], [2, 3, 4], [4, 5, 6])
    for walk in (union, partial(together, least=0.0)):
        visits = walk(starts([0]), atoms, fan, hops=2, gain=None)
        assert visits.row.tolist() == [0, 1]
        assert visits.factor == pytest.approx([0.8, 0.8])
    relations = hypergraph([0, 1], [1, 2], [3, 2], least=2)
    visits = related(starts([3, 0], [2]), relations, fan, hops=3, gain=None)
    assert visits.row.tolist() == [3, 0, 2, 1, 2, 1, 3, 0]
    assert visits.factor.tolist() == [0.5, 0.8, 0.5, 0.8, 0.5, 0.5, 0.5, 0.5]
    apart = related(starts([0]), relations, fan, hops=2, gain=0.25)
    assert apart.factor.tolist() == [0.8, 0.5 * 0.25]


def test_the_walk_of_the_code_misses_what_it_met_too_late():
    """Depth first with one visited set: entity 2 is used up at the last hop before it is near."""
    atoms = hypergraph([0, 1, 9], [1, 2, 10], [0, 2, 11], [2, 3, 12], [3, 4, 13])
    walked = union(starts([0]), atoms, np.ones(40), hops=3, gain=1.0)
    assert sorted(walked.row.tolist()) == [0, 1, 2, 3]
    nearer = together(starts([0]), atoms, np.ones(40), hops=3, gain=1.0, least=0.0)
    assert sorted(nearer.row.tolist()) == [0, 1, 2, 3, 4]


def test_of_paths_to_a_memory_the_best_counts_or_all_together():
    visits = Visits(
        np.array([0, 3, 3]), np.array([0, 1, 0], np.int32), np.array([0.5, 1.0, 0.9]),
        np.array([1, 1, 2], np.int8), np.array([-1, -1, 0]), np.zeros(3, np.int32),
    )  # fmt: skip
    held = Held(
        np.array([0, 2, 4], np.int32), np.array([3, 70, 3, -1], np.int32),
        np.array([2.0, 0.5, 0.25, 1.0], np.float32),
    )  # fmt: skip
    start = starts([], [])
    best = collect(visits, held, start, gain=0.25, least=0.0, summed=False)
    assert (best.ptr.tolist(), best.memory.tolist()) == ([0, 2, 2], [3, 70])
    assert best.activation == pytest.approx([0.9, 0.45])
    assert best.energy == pytest.approx([0.225, 0.1125])
    assert best.hop.tolist() == [2, 2]
    every = collect(visits, held, start, gain=0.25, least=0.3, summed=True)
    assert every.energy == pytest.approx([0.25 * (0.5 + 0.9), 0.25 * 0.45])
    assert len(collect(visits, held, start, gain=0.25, least=0.95, summed=False).memory) == 0
    assert way_back(visits, held, 3, 0.0) == [0, 2]
    assert way_back(visits, held, 3, 0.95) == []


def test_many_memories_are_collected_in_several_rounds(monkeypatch):
    from hebb_lab.graph.cognitive.directory.recall import collect as module

    rng = np.random.default_rng(0)
    rows = Lists.of([sorted(rng.choice(500, 80, replace=False).tolist()) for _ in range(9)])
    held = Held(rows.ptr.astype(np.int32), rows.ids, rng.uniform(0, 1, 720).astype(np.float32))
    visits = Visits(
        np.arange(0, 91, 3), rng.integers(0, 9, 90).astype(np.int32), rng.uniform(0, 1, 90),
        np.ones(90, np.int8), np.full(90, -1), np.zeros(90, np.int32),
    )  # fmt: skip
    whole = collect(visits, held, starts(*[[]] * 30), gain=1.0, least=0.1, summed=True)
    monkeypatch.setattr(module, "ROOM", 300)
    parts = collect(visits, held, starts(*[[]] * 30), gain=1.0, least=0.1, summed=True)
    assert all((a == b).all() for a, b in zip(whole, parts, strict=True))


def test_the_cues_of_one_query_are_its_own():
    cues = Cues(Lists.of([[], []]), Lists.of([[1], [2, 3]]))
    assert one_cue(cues, 1).entities.ids.tolist() == [2, 3]
