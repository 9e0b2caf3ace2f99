import numpy as np
import pytest

from hebb_lab.graph.cognitive.paths import Paths, one_query
from tests.graph.cognitive.tag_worlds import asked, rows_of


def expanded(paths, energy, is_open=None, summed=False, activation=None):
    count = len(energy)
    return paths.expansion(
        np.array(energy),
        np.array(energy if activation is None else activation),
        np.arange(count, dtype=np.int32),
        np.ones(count, np.int8),
        is_open=np.ones(count, np.bool_) if is_open is None else np.array(is_open),
        summed=summed,
    )


def paths(queries, pairs):
    query, memory = np.array(pairs).reshape(-1, 2).T
    return Paths.of(queries, query.astype(np.int64), memory.astype(np.int32))


def test_the_best_path_to_a_memory_is_taken():
    found = rows_of(expanded(paths(2, [(0, 5), (0, 2), (0, 5), (1, 5)]), [0.2, 0.1, 0.9, 0.4]))
    assert found[0] == {2: pytest.approx((0.1, 0.1, 1, 1)), 5: pytest.approx((0.9, 0.9, 2, 1))}
    assert found[1] == {5: pytest.approx((0.4, 0.4, 3, 1))}


def test_of_equally_good_paths_the_first_given_is_the_best():
    found = rows_of(expanded(paths(1, [(0, 1), (0, 1), (0, 1)]), [0.5, 0.7, 0.7]))
    assert found[0][1][2] == 1


def test_a_sum_keeps_the_activation_and_origin_of_the_best_path():
    found = rows_of(expanded(paths(1, [(0, 1), (0, 1)]), [0.5, 0.75], summed=True))
    assert found[0] == {1: (1.25, 0.75, 1, 1)}


def test_a_closed_path_does_not_exist_not_even_in_a_sum():
    both = paths(1, [(0, 1), (0, 1), (0, 3)])
    assert rows_of(expanded(both, [0.5, 0.75, 1.0], [True, False, False], summed=True)) == [
        {1: (0.5, 0.5, 0, 1)}
    ]


def test_a_path_of_no_energy_still_leads_somewhere():
    assert rows_of(expanded(paths(1, [(0, 4)]), [0.0])) == [{4: (0.0, 0.0, 0, 1)}]


def test_without_paths_every_query_finds_nothing():
    found = expanded(paths(3, []), [])
    assert len(found) == 3
    assert len(found.memory) == 0


def test_the_best_path_to_one_memory_can_be_asked_for():
    both, energy = paths(1, [(0, 1), (0, 1), (0, 3)]), np.array([0.5, 0.75, 1.0])
    is_open = np.array([True, True, False])
    assert both.best_to(1, energy, is_open) == 1
    assert both.best_to(3, energy, is_open) is None


def test_one_query_of_many_keeps_its_seeds():
    seeds, _ = asked([[4], [2, 9]], [[1.0], [0.5, 0.25]])
    own = one_query(seeds, 1)
    assert own.ptr.tolist() == [0, 2]
    assert own.memory.tolist() == [2, 9]
    assert own.score.tolist() == [0.5, 0.25]
