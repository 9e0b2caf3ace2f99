"""Files, topics and relations of the invented repository."""

import numpy as np
import pytest

from hebb_lab.simulator import parameters_from
from hebb_lab.simulator.names import BARE, hub_names, prompt, topic_words, words_of
from hebb_lab.simulator.world import World, build_world


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(parameters_from("team"), 30, np.random.default_rng(2))


def test_every_file_is_a_hub_or_belongs_to_one_topic(world: World):
    assert sorted(np.concatenate([world.hubs, *world.topic_files]).tolist()) == list(
        range(len(world.names))
    )
    for k, files in enumerate(world.topic_files):
        assert np.all(world.topic[files] == k)
        assert len(files) >= 3
    assert np.all(world.topic[world.hubs] == -1)


def test_names_are_unique_paths_in_byte_wise_order(world: World):
    assert len(set(world.names)) == len(world.names)
    assert list(world.names) == sorted(world.names, key=str.encode)
    assert all("." in name.rsplit("/", 1)[-1] or name == "Makefile" for name in world.names)
    assert sum("/" in name for name in world.names) > 0.9 * len(world.names)


def test_the_adjacency_holds_every_pair_twice_and_shares_sum_to_one(world: World):
    source = np.repeat(np.arange(len(world.names)), np.diff(world.row_ptr))
    ends = np.sort(np.stack([source, world.relative], axis=1), axis=1)
    assert np.array_equal(ends, world.pairs[world.pair])
    assert np.array_equal(np.bincount(world.pair), np.full(len(world.pairs), 2))
    share = np.bincount(source, weights=world.affinity, minlength=len(world.names))
    assert share[np.diff(world.row_ptr) > 0] == pytest.approx(1.0)


def test_a_source_file_is_related_to_its_test(world: World):
    place = {name: i for i, name in enumerate(world.names)}
    pairs = {tuple(pair) for pair in world.pairs.tolist()}
    twins = 0
    for name, test in place.items():
        if not name.startswith("tests/") or test in world.hubs:
            continue
        source = "src/" + name[len("tests/") :].replace("/test_", "/")
        assert tuple(sorted((place[source], test))) in pairs
        twins += 1
    assert twins > 10


def test_hubs_are_related_to_files_of_most_topics(world: World):
    first = int(world.hubs[0])
    relatives = world.relative[world.row_ptr[first] : world.row_ptr[first + 1]]
    assert len(set(world.topic[relatives].tolist())) > 20


def test_the_half_life_of_a_pair_follows_its_topic():
    parameters = parameters_from("team", half_life_pair_sigma=0.0, half_life_topic_sigma=1.0)
    world = build_world(parameters, 12, np.random.default_rng(0))
    topic = world.topic[world.pairs].max(axis=1)
    means = [set(world.half_life_days[topic == k].round(9).tolist()) for k in range(12)]
    assert all(len(values) == 1 for values in means)
    assert len(set.union(*means)) == 12


def test_topic_words_are_told_apart_for_hundreds_of_topics():
    assert len({topic_words(k) for k in range(300)}) == 300
    assert all(len(set(topic_words(k))) == 2 for k in range(300))


def test_there_are_names_for_any_number_of_hubs():
    assert len(set(hub_names(500))) == 500


def test_a_prompt_says_words_of_the_meant_files_or_nothing_of_use():
    rng = np.random.default_rng(0)
    assert prompt(0, ["src/wallet/parser.py"], 1.0, rng) in BARE
    said = " ".join(prompt(0, ["src/wallet/token_parser.py"], 0.0, rng) for _ in range(50))
    for word in ("wallet", "token", "parser", topic_words(0)[0]):
        assert word in said
    assert "src" not in words_of("parser.py")
