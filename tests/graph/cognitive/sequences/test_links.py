import numpy as np
import pytest

from hebb_lab.graph.cognitive.sequences.links import DAY_SECONDS, Chains
from tests.graph.cognitive.tag_worlds import memories, random_memories


def linked(world, known, links="session", days=None):
    made = Chains(world, links).linked(known, days)
    return made.previous.tolist(), made.following.tolist()


def plainly_linked(world, known, links, days):
    """The same one memory after another."""
    if links == "across":
        rows = [range(len(world))]
    elif world.chains is None:
        rows = [
            [i for i in range(len(world)) if world.session[i] == s]
            for s in range(len(world.sessions))
        ]
    else:
        rows = [world.chains.row(i).tolist() for i in range(len(world.chains.ptr) - 1)]
    previous, following, seen = [-1] * known, [-1] * known, set()
    newest = int(world.time_us[known - 1]) // 1_000_000 if known else 0
    for row in rows:
        last = None
        for node in row:
            epoch = int(world.time_us[node]) // 1_000_000
            old = days is not None and 0 < epoch < newest - days * DAY_SECONDS
            if node in seen or node >= known:
                continue
            seen.add(node)
            if old:
                continue
            if last is not None:
                following[last], previous[node] = node, last
            last = node
    return previous, following


def test_memories_of_a_session_are_linked_in_the_order_of_writing():
    world = memories([[]] * 5, session=[0, 1, 0, 1, 0])
    assert linked(world, 5) == ([-1, -1, 0, 1, 2], [2, 3, 4, -1, -1])


def test_across_sessions_one_pointer_links_all():
    world = memories([[]] * 3, session=[0, 1, 0])
    assert linked(world, 3, "across") == ([-1, 0, 1], [1, 2, -1])


def test_stated_chains_stand_in_for_sessions():
    world = memories([[]] * 4, session=[0, 0, 0, 0], chains=[[2, 0], [3]])
    assert linked(world, 4) == ([2, -1, -1, -1], [-1, -1, 0, -1])


def test_a_memory_that_is_not_written_yet_is_passed_over():
    world = memories([[]] * 3, chains=[[0, 2, 1]])
    assert linked(world, 2) == ([-1, 0], [1, -1])
    assert linked(world, 3) == ([-1, 2, 0], [2, -1, 1])


def test_a_memory_counts_where_it_first_stands_in_a_chain():
    world = memories([[]] * 3, chains=[[0, 1, 0], [1, 2]])
    assert linked(world, 3) == ([-1, 0, -1], [1, -1, -1])


def test_what_is_older_than_the_retention_leaves_and_its_neighbours_are_joined():
    world = memories([[]] * 4, seconds=[5, 10, 9 * 86_400, 10 * 86_400], chains=[[2, 0, 3, 1]])
    assert linked(world, 4, days=7.0) == ([-1, -1, -1, 2], [-1, -1, 3, -1])
    assert linked(world, 2, days=7.0) == ([-1, 0], [1, -1])


def test_a_node_on_the_edge_of_the_retention_and_one_without_a_time_stay():
    world = memories([[]] * 3, seconds=[0, 86_400, 2 * 86_400])
    assert linked(world, 3, days=1.0) == ([-1, 0, 1], [1, 2, -1])


def test_nodes_have_pointers_session_and_seconds():
    world = memories([[]] * 2, session=[42, 42], seconds=[999, 1000])
    chains = Chains(world, "session")
    nodes = chains.nodes(chains.linked(2, None))
    assert [part.tolist() for part in nodes] == [[-1, 0], [1, -1], [42, 42], [999, 1000]]
    assert {part.dtype.itemsize for part in nodes} == {4}


def test_the_session_of_a_node_of_a_stated_chain_is_that_chain():
    chains = Chains(memories([[]] * 3, chains=[[1], [0]]), "session")
    assert chains.nodes(chains.linked(3, None)).session.tolist() == [1, 0, -1]


def test_a_node_takes_16_bytes():
    assert Chains(memories([[]] * 10), "session").byte_count(7) == 7 * 16
    assert Chains(memories([[]] * 10, chains=[[0, 1]]), "session").byte_count(7) == 7 * 8 + 2 * 8


@pytest.mark.parametrize("stated", [False, True])
@pytest.mark.parametrize("days", [None, 1.0, 3.0])
@pytest.mark.parametrize("links", ["session", "across"])
def test_links_are_those_of_a_plain_list(links, days, stated):
    for seed in range(10):
        world = random_memories(np.random.default_rng(seed), chains=stated)
        for known in (0, 1, 17, 40):
            assert linked(world, known, links, days) == plainly_linked(world, known, links, days)
