"""The world on which the layers are measured, and the table of their memory, at a small size."""

import numpy as np
import pytest

from hebb_lab.graph.cognitive.nulls import learned_layer
from hebb_lab.graph.cognitive.rules import PARTS
from tests.benchmarks.layers_child import RULES, of_layer
from tests.benchmarks.layers_memory import (
    BESIDE,
    COMPANION,
    PAGE,
    TOTAL,
    Held,
    main,
    measured,
    rules_that_keep,
    table_of_parts,
    warm_up,
)
from tests.benchmarks.layers_world import made_memories, made_queries

COUNT = 5_000


@pytest.fixture(scope="module")
def world():
    return made_memories(COUNT)


def test_the_same_seed_makes_the_same_memories(world):
    assert made_memories(COUNT).sha256() == world.sha256()
    assert made_memories(COUNT, seed=1).sha256() != world.sha256()


def test_memories_have_sessions_of_ten_three_tags_and_three_or_four_mentions(world):
    assert COUNT / len(world.sessions) == pytest.approx(10, rel=0.1)
    assert (np.diff(world.time_us) > 0).all()
    rows = world.tags.ids.reshape(COUNT, 3)
    assert all(len(set(row)) == 3 for row in rows.tolist())
    assert set(np.diff(world.mentions.ptr).tolist()) == {3, 4}
    assert len(set(world.entity_names)) == COUNT


def test_the_first_name_comes_twice_as_often_as_the_second(world):
    times = np.bincount(world.mentions.ids)
    assert times[0] / times[1] == pytest.approx(2, rel=0.15)


def test_a_query_has_ten_distinct_seeds_and_cues_of_its_first(world):
    seeds, cues = made_queries(world, 50)
    for query in range(50):
        own = slice(seeds.ptr[query], seeds.ptr[query + 1])
        assert len(set(seeds.memory[own].tolist())) == 10
        assert (np.diff(seeds.score[own]) <= 0).all()
        first = seeds.memory[own][0]
        assert set(cues.tags.row(query)) <= set(world.tags.row(first))
        assert set(cues.entities.row(query)) <= set(world.mentions.row(first))


def test_nothing_is_forgotten_at_a_mean_degree_of_about_two(world):
    rules = rules_that_keep(COUNT)
    for part in ("hebbian", "entities"):
        layer = learned_layer(part, world, [rules])
        layer.advance(COUNT)
        if part == "hebbian":
            assert layer.edge_count(0) == 2 * (COUNT - len(world.sessions))
            assert layer.edge_count(0) / COUNT == pytest.approx(1.8, rel=0.02)
        else:
            pairs = set(zip(np.repeat(np.arange(COUNT), np.diff(world.mentions.ptr)).tolist(),
                            world.mentions.ids.tolist(), strict=True))  # fmt: skip
            assert layer.edge_count(0) == len(pairs)


def test_the_parts_add_up_to_the_layers_and_no_layer_holds_more_than_is_stated():
    warm_up()
    parts, laid_out, held = measured(COUNT)
    assert set(parts) == {*PAGE, COMPANION}
    assert sum(parts.values()) == sum(each.state for each in held.values())
    assert laid_out["Hebbian edges (L1)"] == pytest.approx(parts["Hebbian edges (L1)"], abs=8)
    assert all(each.is_within(name, COUNT) for name, each in held.items()), held
    assert set(BESIDE) == set(held) == set(PARTS)


def test_a_layer_that_holds_more_than_is_stated_is_told():
    assert not Held(1000, 0, 2 * 10**9, 0).is_within("hebbian", 10**5)


def test_the_table_says_the_pages_figure_beside_ours():
    parts = dict.fromkeys([*PAGE, COMPANION], 3_000_000)
    text = table_of_parts(10**5, parts, {"hyperedges (L3)": 4_000_000})
    line = next(line for line in text.splitlines() if "hyperedges (L3)" in line)
    assert line.split()[-3:] == ["3.00", "5", "4.00"]
    assert "budget: at most 23 MB, met; its lower figure of 20 MB, missed" in text


def test_the_pages_figures_add_up_to_its_total():
    for memories, (least, most) in TOTAL.items():
        sums = [sum(page[memories][end] for page in PAGE.values()) for end in (0, 1)]
        assert sums == pytest.approx([least, most], abs=0.7)


def test_the_command_prints_both_tables(capsys):
    assert main(["1000"]) == 0
    text = capsys.readouterr().out
    assert "1,000 memories, MB" in text
    assert "1,000 memories: what the process holds by tracemalloc" in text


@pytest.mark.parametrize("name", RULES)
def test_each_layer_is_measured_under_each_rule_set(world, name):
    seeds, cues = made_queries(world, 20)
    made = {part: of_layer(part, world, RULES[name], seeds, cues) for part in PARTS}
    assert all(len(each["seconds"]) == 7 for each in made.values())
    assert made["chain"]["edges"] > 0
