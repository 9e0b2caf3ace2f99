import numpy as np
import pytest

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.kernels.cpu.cognitive.lists import Lists
from hebb_lab.recall.cognitive.scoring.profiles import PROFILES
from hebb_lab.recall.cognitive.seeding import expanded_queries, seed_rule, seeds_of, some_seeds

LISTS = Lists(
    np.array([[7, 2, 5, 9], [4, 1, -1, -1], [-1, -1, -1, -1]], np.int32),
    np.array([[4, 3, 2, -1], [5, 0, -np.inf, -np.inf], [-np.inf] * 4], np.float32),
)


def rows(seeds):
    return [seeds.memory[a:b].tolist() for a, b in zip(seeds.ptr[:-1], seeds.ptr[1:], strict=True)]


def test_seeds_are_the_direct_results_with_a_score_best_first():
    seeds = seeds_of(LISTS, None, "ranked")
    assert rows(seeds) == [[7, 2, 5], [4], []]
    assert seeds.score.tolist() == [4, 3, 2, 5]
    assert rows(seeds_of(LISTS, None, "written")) == rows(seeds)


def test_few_seeds_are_the_best_or_those_written_first_and_best_first_either_way():
    assert rows(seeds_of(LISTS, 2, "ranked")) == [[7, 2], [4], []]
    assert rows(seeds_of(LISTS, 2, "written")) == [[2, 5], [4], []]
    assert rows(seeds_of(LISTS, 9, "written")) == [[7, 2, 5], [4], []]


def test_a_reranking_layer_starts_from_all_results_whatever_the_rules():
    rules = CognitiveRules(seed_count=3, seed_order="written")
    assert seed_rule("stdp", rules) == (None, "ranked")
    assert seed_rule("hebbian", rules) == (3, "written")


@pytest.mark.parametrize("gate", ["neighbour", "none"])
def test_other_gates_expand_every_query(gate):
    match = np.array([0.0, 1.0], np.float32)
    assert expanded_queries(match, CognitiveRules(gate=gate), [None, None]).all()


def test_the_gate_on_the_direct_match_shuts_from_its_threshold_on():
    rules = CognitiveRules(gate="direct_match", gate_threshold=0.5)
    match = np.array([0.49, 0.5, 0.6, 0.6, 0.1], np.float32)
    profiles = [None, None, None, PROFILES["DIVERGENT"], PROFILES["HYPERFOCUS"]]
    assert expanded_queries(match, rules, profiles).tolist() == [True, False, False, True, False]


def test_some_seeds_are_those_of_their_queries():
    seeds = seeds_of(LISTS, None, "ranked")
    assert rows(some_seeds(seeds, 1, 3)) == [[4], []]
    assert some_seeds(seeds, 1, 2).score.tolist() == [5]
