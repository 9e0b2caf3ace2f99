"""The settings of the cognitive graph: what the config files say is what the code takes."""

from dataclasses import asdict

import pytest
from omegaconf import OmegaConf

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.settings import Settings, config_dir, known_settings
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.layers.arms.choose import check_tuning
from hebb_lab.layers.settings import CognitiveSettings, TuningSettings
from tests.experiment.tiny import composed

COGNITIVE = config_dir() / "cognitive"


@pytest.mark.parametrize(("name", "rules"), [("documented", DOCUMENTED), ("observed", OBSERVED)])
def test_every_switch_stands_in_both_rule_files_at_its_value(name, rules):
    # When a switch is new: write asdict(rules) into configs/cognitive/rules/NAME.yaml
    stored = OmegaConf.to_container(OmegaConf.load(COGNITIVE / "rules" / f"{name}.yaml"))
    assert stored == {**asdict(rules), "nulls": list(rules.nulls)}
    assert list(stored) == list(asdict(rules))


def test_the_page_of_settings_names_every_setting():
    stored = OmegaConf.to_container(OmegaConf.load(COGNITIVE / "default.yaml"))
    named = {**asdict(CognitiveSettings()), "defaults": None}
    assert set(stored) == set(named) - {"rules"}
    assert set(stored["tuning"]) == set(asdict(TuningSettings()))


def test_a_switch_and_a_rule_set_are_chosen_on_the_command_line():
    turned = Settings.from_mapping(composed("+exp=ablation", "cognitive.rules.walk=dfs"))
    assert turned.cognitive.rules["walk"] == "dfs"
    observed = Settings.from_mapping(composed("+exp=ablation", "cognitive/rules=observed"))
    assert observed.cognitive.rules["gate"] == "direct_match"


def test_the_default_grid_names_switches():
    check_tuning(Settings.from_mapping(composed("+exp=ablation")).cognitive.tuning)


def test_the_switches_of_the_cognitive_rules_are_known_settings():
    assert {"cognitive.rules.walk", "cognitive.tuning.metric"} <= set(known_settings())


def test_an_unknown_setting_names_the_near_one():
    with pytest.raises(ConfigError, match=r"cognitive\.seader\. Did you mean seeder"):
        Settings.from_mapping(composed("+exp=ablation", "+cognitive.seader=bm25"))
