import math

import numpy as np
import pytest

from hebb_lab.graph.cognitive.tagging.edges import TagEdges
from hebb_lab.graph.cognitive.tagging.events import Followed
from hebb_lab.records import Lists

CODE = np.array([[0.1], [0.05], [30_000.0]])


def followed(*pairs):
    """(before, after, gap in ms, at in ms)."""
    before, after, gap, at = zip(*pairs, strict=True) if pairs else ((),) * 4
    return Followed(
        np.array(before, np.int32), np.array(after, np.int32), np.array(gap, np.float64),
        np.array(at, np.int64),
    )  # fmt: skip


def learned(*parts, rules=CODE, tags=5):
    made = TagEdges(tags, rules)
    for part in parts:
        made.learn(followed(*part))
    return made


def weights(made, config=0):
    table = made.edges(config)
    pairs = zip(table.source.tolist(), table.target.tolist(), strict=True)
    return dict(zip(pairs, table.weight.tolist(), strict=True))


def test_a_before_b_makes_two_edges_of_which_one_weighs_something():
    made = learned([(0, 1, 100, 5000)])
    assert len(made) == 2
    assert weights(made) == pytest.approx({(0, 1): 0.09967, (1, 0): 0.0}, abs=5e-6)
    table = made.edges(0)
    assert table.changes.tolist() == [1, 1]
    assert table.last_ms.tolist() == [5000, 5000]


def test_what_is_repeated_or_closer_weighs_more():
    near, far = [(0, 1, 100, 0)], [(0, 1, 20_000, 0)]
    assert weights(learned(near * 2))[0, 1] > weights(learned(near))[0, 1]
    assert weights(learned(near))[0, 1] > weights(learned(far))[0, 1]


def test_no_weight_passes_1():
    assert weights(learned([(0, 1, 0, 0)] * 50))[0, 1] == 1.0


def test_without_a_link_nothing_is_foretold():
    made = learned([(0, 1, 0, 0)])
    lists = Lists.of([[2], [0], [1]])
    found = made.foretold(Lists.of([[0]]), np.array([0, 3]), lists)
    assert found.weight[:, 0].tolist() == pytest.approx([0, 0, 0.1])
    assert found.sender[:, 0].tolist() == [-1, -1, 0]


def test_an_edge_takes_20_bytes():
    assert learned([(0, 1, 0, 0)]).byte_count() - learned().byte_count() == 2 * 20


def plainly(pairs, plus, minus, tau):
    """The rule, one pair after another."""
    table = {}
    for a, b, gap, at in pairs:
        near = math.exp(-gap / tau)
        for edge, change in (((a, b), plus * near), ((b, a), -minus * near)):
            weight, changes, _ = table.get(edge, (0.0, 0, 0))
            table[edge] = (min(max(weight + change, 0.0), 1.0), changes + 1, at)
    return table


def test_edges_are_those_of_a_plain_table_in_how_many_steps_ever():
    rules = np.array([[0.1, 0.4], [0.05, 0.3], [30_000.0, 5000.0]])
    for seed in range(15):
        rng = np.random.default_rng(seed)
        pairs = [
            (*rng.choice(5, size=2, replace=False).tolist(), float(rng.choice([0, 100, 7e4])), at)
            for at in range(120)
        ]
        cut = int(rng.integers(0, 121))
        made, at_once = learned(pairs[:cut], pairs[cut:], rules=rules), learned(pairs, rules=rules)
        for config in range(2):
            expected = plainly(pairs, *rules[:, config])
            found = weights(made, config)
            assert found == pytest.approx({e: v[0] for e, v in expected.items()}, abs=1e-6)
            for one, other in zip(made.edges(config), at_once.edges(config), strict=True):
                assert one.tobytes() == other.tobytes()
        table = made.edges(0)
        keys = list(zip(table.source.tolist(), table.target.tolist(), strict=True))
        assert keys == sorted(expected)
        assert table.changes.tolist() == [expected[key][1] for key in keys]
        assert table.last_ms.tolist() == [expected[key][2] for key in keys]
