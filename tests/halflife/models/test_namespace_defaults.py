"""The published half-lives of the namespaces."""

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.model import Training
from tests.halflife.fits import MODELS, late
from tests.halflife.made import history, random_windows

WINDOWS = random_windows(5, 200, nodes=8, spaces=(0, 1, 2, 3))
DEFAULTS = {"personal": 30.0, "shared": 60.0, "ephemeral": 1.0, "branch:a": 30.0}


def lives(found):
    fit, asked = MODELS["namespace_defaults"].fit(found, Training(until=150)), late(found)
    found_lives = zip(found.group[asked.edge].tolist(), fit.half_life(asked).tolist(), strict=True)
    return {found.group_namespace[group]: days for group, days in found_lives}


def test_they_are_30_60_and_1_and_those_of_personal_in_a_branch():
    assert lives(history(WINDOWS)) == DEFAULTS


def test_groups_of_folders_have_those_of_their_namespaces():
    assert lives(history(WINDOWS, group_by="folder")) == DEFAULTS


def test_other_rules_have_other_defaults():
    rules = DOCUMENTED.change(half_life_shared_days=9.0)
    assert lives(history(WINDOWS, rules)) == {**DEFAULTS, "shared": 9.0}
