"""What an arm added to its direct search is counted by query and node."""

from types import SimpleNamespace

import numpy as np

from hebb_lab.layers.protocol.bench import Answered, Use
from hebb_lab.layers.protocol.facts import facts_of
from hebb_lab.records import Qrels, Ranking

EXPANDED = np.array([True, False])


def ranking(rows):
    ids = np.full((len(rows), 12), -1, np.int32)
    for q, row in enumerate(rows):
        ids[q, : len(row)] = row
    scores = np.where(ids >= 0, 1.0, -np.inf).astype(np.float32)
    return Ranking(ids, scores)


def facts(rows, direct, gold):
    qrels = Qrels(
        np.cumsum([0, *map(len, gold)]), np.concatenate(gold).astype(np.int32),
        np.ones(sum(map(len, gold)), np.int32),
    )  # fmt: skip
    use = Use("chain", np.array([3, 0]), np.array([1, 0]), 0.5, 10, 4, {"empty": 1}, 2.0)
    answered = Answered(ranking(rows), EXPANDED, (use,))
    task = SimpleNamespace(qrels=qrels)
    return facts_of(answered, ranking(direct), {"t": task}, {"t": np.arange(2)})


def test_new_nodes_are_those_that_the_direct_list_lacks():
    found = facts([[1, 2, 3], [1]], [[1], [1]], [[3, 9], [1]])["added"]["t"]
    assert (found["listed"], found["gold"]) == (2, 1)
    assert (found["listed_at_10"], found["gold_at_10"]) == (2, 1)
    assert (found["lost_at_10"], found["lost_gold_at_10"]) == (0, 0)


def test_a_node_that_falls_out_of_the_best_ten_is_lost_there():
    direct = list(range(11))
    found = facts([[20, *direct], [1]], [direct, [1]], [[9], [1]])["added"]["t"]
    assert (found["listed_at_10"], found["gold_at_10"]) == (1, 0)
    assert (found["lost_at_10"], found["lost_gold_at_10"]) == (1, 1)
    assert (found["listed"], found["gold"]) == (1, 0)


def test_the_rate_of_expansion_and_what_layers_did_are_kept():
    found = facts([[1], [1]], [[1], [1]], [[1], [1]])
    assert found["expansion_rate"] == {"t": 0.5}
    assert found["layers"] == [
        {"layer": "chain", "seconds": 0.5, "learning_seconds": 2.0, "bytes": 10, "edges": 4,
         "failures": {"empty": 1}, "tasks": {"t": {"found": 3, "listed": 1, "queries": 1}}}
    ]  # fmt: skip
