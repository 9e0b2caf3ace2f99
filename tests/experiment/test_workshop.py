"""What the arms share."""

import numpy as np
import pytest

from hebb_lab.experiment.workshop import seeded_by
from hebb_lab.graph.layers import LAYERS
from hebb_lab.records import Ranking
from tests.experiment.tiny import workshop
from tests.recall.asking import queries_at


@pytest.fixture(scope="module")
def shop():
    return workshop("+exp=ablation", "debug=tiny")


def test_queries_without_a_node_in_view_are_seeded_by_their_hits_and_the_others_stay():
    queries = queries_at([1, 2, 3], seeds=[[4, 5], [], []])
    hits = Ranking(np.array([[9, 8], [7, 6], [3, -1]], np.int32), np.zeros((3, 2), np.float32))
    seeded = seeded_by(queries, hits, np.array([False, True, True]))
    assert seeded.seed_ptr.tolist() == [0, 2, 4, 5]
    assert seeded.seed_ids.tolist() == [4, 5, 7, 6, 3]
    assert seeded.seed_energy.tolist() == pytest.approx([1.0, 0.6, 1.0, 1.0, 1.0])


def test_queries_with_nodes_in_view_are_handed_on_as_they_are(shop):
    task = shop.prepared.task("first_touch", shop.settings.evaluation.protocol)
    assert shop.seeded(task.queries, shop.arms[0]) is task.queries


def test_a_prompt_is_seeded_by_the_first_lexical_hits(shop):
    task = shop.prepared.task("prompt_to_files", shop.settings.evaluation.protocol)
    seeded = shop.seeded(task.queries, shop.arms[0])
    hits = shop.lexical.rank(task.queries, shop.arms[0].rules.seed_hits)
    want = [row[row >= 0].tolist() for row in hits.ids]
    got = [
        seeded.seed_ids[a:b].tolist()
        for a, b in zip(seeded.seed_ptr[:-1], seeded.seed_ptr[1:], strict=True)
    ]
    assert got == want
    assert any(want)


def test_one_replay_serves_all_arms(shop):
    for name in LAYERS:
        assert shop.layer(name) is shop.layer(name)
        assert len(shop.layer(name).rules) == len({arm.rules for arm in shop.arms})
    rules = shop.layer("synapse").rules
    assert all(rules[shop.config_of(arm)] == arm.rules for arm in shop.arms)


def test_lexical_hits_are_looked_up_once(shop):
    task = shop.prepared.task("first_touch", shop.settings.evaluation.protocol)
    assert shop.lexical_hits(task.queries, 5) is shop.lexical_hits(task.queries, 5)
    assert shop.lexical_hits(task.queries, 6).ids.shape[1] == 6


def test_an_arm_that_needs_lexical_hits_is_timed_with_looking_them_up():
    shop = workshop("+exp=ablation", "debug=tiny")
    queries = shop.prepared.task("first_touch", shop.settings.evaluation.protocol).queries
    first = shop.lexical_hits(queries, 3)
    assert shop.lexical_hits(queries, 3) is first
    shop.forget_hits()
    assert shop.lexical_hits(queries, 3) is not first
