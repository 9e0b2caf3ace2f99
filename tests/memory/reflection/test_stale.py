import numpy as np

from hebb_lab.memory.changes import Change, Edges
from hebb_lab.memory.reflection import stale_insights
from hebb_lab.memory.values import EdgeKind
from tests.memory.reflection.made import World, around


def linked(world, pairs, kind):
    source, target = (np.array(side) for side in zip(*pairs, strict=True))
    count = len(pairs)
    return world.commit(
        Change(
            world.state.clock_us,
            edges=Edges(
                world.state.ids_of(source), world.state.ids_of(target),
                np.full(count, kind, np.int8), np.ones(count, np.float32),
                np.zeros(count, np.int64),
            ),
        )
    )  # fmt: skip


def test_insights_from_any_of_the_rows_are_found_once():
    world = World()
    world.add(around(3, 3))
    linked(world, [(6, 0), (6, 1), (7, 1), (8, 5)], EdgeKind.INSIGHT_FROM)
    assert stale_insights(world.state, np.array([0, 1])).tolist() == [6, 7]
    assert stale_insights(world.state, np.array([2])).tolist() == []
    assert stale_insights(world.state, np.zeros(0, np.int64)).tolist() == []


def test_only_insight_from_edges_count_and_only_towards_the_source():
    world = World()
    world.add(around(3, 3))
    linked(world, [(6, 0)], EdgeKind.REVISED_FROM)
    linked(world, [(0, 7)], EdgeKind.INSIGHT_FROM)
    assert stale_insights(world.state, np.array([0])).tolist() == []


def test_an_insight_that_was_forgotten_is_not_stale():
    world = World()
    world.add(around(3, 3))
    linked(world, [(6, 0), (7, 0)], EdgeKind.INSIGHT_FROM)
    world.commit(Change(world.state.clock_us, forgotten=world.state.ids_of(np.array([6]))))
    assert stale_insights(world.state, np.array([0])).tolist() == [7]
