"""The settings of the config files are those of the code."""

from dataclasses import asdict

from hebb_lab.lifecycles.arms import FAMILIES
from hebb_lab.lifecycles.settings import MemorySettings
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.rules import MemoryRules
from tests.experiment.tiny import composed


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def test_the_page_of_settings_and_the_code_have_the_same_defaults():
    stored = composed("+exp=memory")["memory"]
    defaults = plain(asdict(MemorySettings()))
    assert set(stored) == set(defaults)
    own = ("rules", "families")
    assert {k: v for k, v in stored.items() if k not in own} == {
        k: v for k, v in defaults.items() if k not in own
    }
    assert stored["families"] == list(FAMILIES)


def test_both_rule_files_hold_every_switch_at_its_value_and_in_its_order():
    for name, rules in (("documented", DOCUMENTED), ("observed", OBSERVED)):
        stored = composed("+exp=memory", f"memory/rules={name}")["memory"]["rules"]
        assert MemoryRules.from_mapping(stored) == rules
        assert list(stored) == list(asdict(rules))
