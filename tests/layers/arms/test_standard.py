"""The groups of arms: each layer, each deviation, each null, all sets."""

from dataclasses import replace

from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED, deviations
from hebb_lab.graph.cognitive.rules import NULLS, PARTS
from hebb_lab.layers.arms import FAMILIES, Stack
from hebb_lab.layers.arms.standard import core
from hebb_lab.layers.protocol.floors import FLOORS
from hebb_lab.recall.cognitive.direct import SEEDERS

STACK = Stack("bm25", PARTS, DOCUMENTED)


def made(family):
    return {arm.name: arm for arm in FAMILIES[family](STACK)}


def test_the_base_is_direct_search_alone_and_full_has_all_layers():
    base, full = core(STACK)
    assert (base.plan.layers, base.base, full.plan.layers, full.base) == ((), None, PARTS, "base")


def test_each_layer_is_added_to_the_base_and_removed_from_full():
    for layer in PARTS:
        added, removed = made("add")[f"add_{layer}"], made("remove")[f"without_{layer}"]
        assert (added.plan.layers, added.base) == ((layer,), "base")
        assert set(removed.plan.layers) == set(PARTS) - {layer}
        assert removed.base == "full"


def test_all_sets_of_layers_are_there():
    arms = made("sets")
    assert len(arms) == 2 ** len(PARTS)
    assert len({arm.plan for arm in arms.values()}) == 2 ** len(PARTS)
    assert {arm.base for arm in arms.values()} == {None}


def test_each_deviation_is_one_arm_that_turns_nothing_else():
    arms = made("switches")
    assert arms.pop("documented").plan.rules == DOCUMENTED
    assert arms.pop("documented_phases").plan.rules == DOCUMENTED
    assert len(arms) == len(deviations()) == 29
    for name, changes in deviations().items():
        arm = arms[f"switch_{name}"]
        assert arm.plan.rules == DOCUMENTED.change(**changes)
        in_phases = name == "arousal_slows_decay"
        assert arm.base == ("documented_phases" if in_phases else "documented")


def test_what_acts_in_phases_alone_is_turned_where_scoring_is_in_phases():
    arms = made("switches")
    base, turned = arms["documented_phases"].plan, arms["switch_arousal_slows_decay"].plan
    assert (base.scoring, turned.scoring, arms["documented"].plan.scoring) == (
        "phases", "phases", "similarity",
    )  # fmt: skip
    assert replace(turned, rules=DOCUMENTED) == base
    assert not turned.rules.arousal_slows_decay


def test_all_deviations_together_are_the_observed_rules():
    rules = DOCUMENTED
    for changes in deviations().values():
        rules = rules.change(**changes)
    assert rules == OBSERVED == made("systems")["observed"].plan.rules


def test_each_layer_has_each_null_model():
    arms = made("nulls")
    assert set(arms) == {f"{layer}_{kind}" for layer in PARTS for kind in NULLS}
    assert arms["chain_empty"].plan.rules.null_of("chain") == "empty"
    assert arms["chain_empty"].plan.layers == PARTS


def test_what_surrounds_the_graph_is_turned_on_one_by_one():
    arms = made("surroundings")
    assert arms["phases"].plan.scoring == "phases"
    assert arms["surprise"].plan.importance == "surprise"
    assert arms["profiles"].plan.profile == "own"
    assert arms["habituation"].plan.habituation
    assert (arms["profiles"].base, arms["surprise"].base) == ("phases", "phases")


def test_the_floors_rank_without_the_graph():
    arms = made("floors")
    assert {arm.plan.layers for arm in arms.values()} == {()}
    assert arms["dense"].plan.seeder == "dense"
    assert arms["random"].method == "random"
    assert set(SEEDERS) | set(FLOORS) == set(arms)


def test_the_tuned_arm_has_all_layers():
    assert made("tuned")["tuned"].tuned
    assert made("tuned")["tuned"].plan.layers == PARTS


def test_direct_search_as_the_code_has_it_stands_beside_the_codes_full_stack():
    arms = made("systems")
    direct, whole = arms["observed_direct"], arms["observed"]
    assert (direct.base, direct.plan.layers) == ("observed", ())
    assert (direct.plan.rules, direct.plan.seeder) == (whole.plan.rules, whole.plan.seeder)
