import math
from dataclasses import asdict

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.scoring.profiles import PROFILES, profiles_of

TABLE = {
    "BALANCED": (0.6, 0.4, 0.3, 0.4, {}),
    "EXPLORING": (0.8, 0.2, 0.1, 0.4, {}),
    "DEBUGGING": (0.3, 0.7, 0.5, 0.2, {"valence_to": -10}),
    "RECALLING": (0.4, 0.6, 0.3, 0.4, {"valence_from": 10}),
    "CRITICAL": (0.2, 0.8, 0.4, 0.2, {}),
    "HYPERFOCUS": (1.0, 0.0, 0.2, 0.0, {"hyperfocus_boost": 1.5}),
    "SYSTEMATIZER": (0.3, 0.7, 0.3, 0.3, {"strictness": 10.0}),
    "DIVERGENT": (0.8, 0.2, 0.2, 0.8, {"lateral": True}),
    "PARANOID_SENTINEL": (0.2, 0.8, 0.5, 0.2, {"valence_to": -1, "query_valence": -128}),
    "THE_EXECUTOR": (0.3, 0.7, 0.4, 0.2, {"strictness": 10.0}),
    "HIGHLY_SENSITIVE": (0.7, 0.3, 0.3, 0.4, {"min_importance": 0.01}),
    "DEFAULT_MODE_NETWORK": (0.2, 0.8, 0.1, 0.4, {}),
    "EXECUTIVE_DYSFUNCTION": (0.3, 0.7, 0.1, 0.8, {"lateral": True}),
    "SOUL_DERIVED": (0.6, 0.4, 0.3, 0.4, {}),
}
"""Fact sheet, §2.5: α, β, γ, threshold, and what else."""
PLAIN = {
    "valence_from": -math.inf, "valence_to": math.inf, "query_valence": None, "strictness": 1.0,
    "hyperfocus_boost": 0.0, "min_importance": 0.0, "lateral": False,
}  # fmt: skip


def test_the_fourteen_profiles_are_those_of_the_table():
    assert list(PROFILES) == list(TABLE)
    for name, (alpha, beta, gamma, threshold, more) in TABLE.items():
        said = {"alpha": alpha, "beta": beta, "gamma": gamma, "threshold": threshold}
        assert asdict(PROFILES[name]) == said | PLAIN | more, name


def test_two_profiles_alone_are_open_to_the_graph():
    opened = {name for name in PROFILES if PROFILES[name].threshold > 0.4}
    assert opened == {"DIVERGENT", "EXECUTIVE_DYSFUNCTION"}


def test_a_query_without_a_profile_has_none_and_an_unknown_one_counts_as_balanced():
    profiles, unknown = profiles_of("own", ("", "UNKNOWN_PROFILE", "CRITICAL"), 3)
    assert profiles == [None, PROFILES["BALANCED"], PROFILES["CRITICAL"]]
    assert unknown == 1
    assert profiles_of("own", (), 2) == ([None, None], 0)
    assert profiles_of(None, ("CRITICAL",), 1) == ([None], 0)


def test_a_plan_that_asks_for_an_unknown_profile_is_told_the_near_ones():
    with pytest.raises(ConfigError, match="CRITICAL"):
        profiles_of("CRITICALS", (), 1)
