"""Which arms have fitted half-lives."""

import pytest

from hebb_lab.experiment.arms import arms_of
from hebb_lab.experiment.arms.entries import FITTED
from hebb_lab.experiment.methods import METHODS
from tests.experiment.arms.made import EARLY, LATE, fitted_run, half_lives, settings
from tests.experiment.tiny import composed, workshop

TITLE = "frailty of halflife/0123456789ab"


@pytest.fixture
def reference(tmp_path):
    splits = [(EARLY, half_lives(personal=0.5)), (LATE, half_lives(personal=0.6))]
    return f"@{fitted_run(tmp_path / 'my runs', half_lives(personal=0.4), splits)}"


def arms(reference, *overrides, **more):
    config = settings(*overrides, **more)
    config.rules["half_life"] = reference  # Hydra has its own test
    return {arm.name: arm for arm in arms_of(config)}


def test_a_base_with_a_half_life_of_its_own_keeps_it_and_an_arm_is_added(reference, caplog):
    plain = {arm.name: arm for arm in arms_of(settings())}
    with caplog.at_level("WARNING", "hebb_lab"):
        made = arms(reference)
    added = made.pop(FITTED)
    assert made == plain
    assert (added.base, added.method, added.group) == ("half_life_30d", "spread", "decay")
    base = made["half_life_30d"].rules
    assert added.rules == base.change(half_life_personal_days=0.4)
    assert [(at, rules.half_life_personal_days) for at, rules in added.schedule] == [
        (EARLY, 0.5), (LATE, 0.6),
    ]  # fmt: skip
    assert added.about == f"fitted: {TITLE}"
    assert dict(added.changed) == {"half_life": "@halflife/0123456789ab#frailty"}
    assert "no effect" not in caplog.text


def test_an_arm_of_that_name_is_the_users(reference):
    made = arms(reference, arms={"half_life_30d": {"rules": {"half_life": "fixed"}}, FITTED: {}})
    assert list(made) == ["half_life_30d", FITTED]
    assert made[FITTED].fit is None


def test_the_added_arm_walks_as_its_base_does(reference):
    entry = {"method": "pagerank", "layers": ["transitions"], "rules": {"half_life": "none"}}
    added = arms(reference, arms={"half_life_30d": entry})[FITTED]
    assert (added.method, added.layers) == ("pagerank", ("transitions",))
    assert added.rules.half_life == "fixed"


def test_a_base_without_a_half_life_of_its_own_has_the_fitted_one_and_so_have_the_others(reference):
    made = arms(reference, arms={"half_life_30d": {}, "b": {"rules": {"hops": 2}}, "bm25": {
        "method": "bm25"}, "c": {"rules": {"half_life": "none"}}})  # fmt: skip
    assert FITTED not in made
    assert [made[name].fit is not None for name in ("half_life_30d", "b", "bm25", "c")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert [rules.hops for _, rules in made["b"].schedule] == [2, 2]


def test_an_arm_may_name_a_run_itself(reference):
    entries = {"half_life_30d": {}, "mine": {"rules": {"half_life": reference}, "about": "mine"}}
    made = {arm.name: arm for arm in arms_of(settings(arms=entries))}
    assert (made["half_life_30d"].fit, made["mine"].fit.title) == (None, TITLE)
    assert made["mine"].about == "mine"


def test_a_whole_rule_set_may_have_fitted_half_lives(reference):
    entries = {"x": {"start": "observed", "rules": {"half_life": reference}}}
    (arm,) = arms_of(settings("base=null", arms=entries))
    assert (arm.rules.half_life, arm.rules.decay_passes) == ("fixed", "compounding")


def test_the_sets_of_an_attribution_have_the_fit_of_the_rules_where_they_decay(reference):
    made = arms(reference, "attribution=ladder", arms={"half_life_30d": {}})
    assert made["with no part"].fit is None
    assert [at for at, _ in made["with decay"].schedule] == [EARLY, LATE]


def test_an_arm_with_a_schedule_says_so_in_its_parameters_and_in_its_id(reference):
    added = arms(reference)[FITTED]
    told = added.parameters()
    assert "half_life_days" not in told
    assert [part["from_us"] for part in told["schedule"]] == [EARLY, LATE]
    assert told["schedule"][0]["half_life_personal_days"] == 0.5
    assert told["fitted"].keys() == {"run", "model", "sha256"}
    base = arms(reference)["half_life_30d"]
    assert len({added.config_id(), base.config_id()}) == 2
    assert "fitted" not in base.parameters()


def test_methods_that_are_said_to_read_no_rules_read_none(tmp_path):
    from hebb_lab.experiment.arms.arm import IGNORES_RULES, Arm

    shop = workshop("+exp=ablation", "debug=tiny", "recall.embedder=hashing",
                    f"paths.cache={tmp_path}")  # fmt: skip
    protocol = shop.settings.evaluation.protocol
    task = shop.prepared.task("prompt_to_files", protocol).head(20)
    rules = [shop.arms[0].rules, next(a.rules for a in shop.arms if a.name == "synapse_observed")]

    def answers(method):
        return [
            METHODS[method](shop, task, Arm("a", method, "g", None, each)).ranking.sha256()
            for each in rules
        ]

    ignoring = [name for name in METHODS if len(set(answers(name))) == 1]
    assert ignoring == [name for name in METHODS if name in IGNORES_RULES]


def test_the_config_of_the_command_line_holds_the_reference_as_it_was_written():
    assert composed("+exp=ablation", 'rules.half_life="@my runs/x#y"')["rules"]["half_life"] == (
        "@my runs/x#y"
    )
