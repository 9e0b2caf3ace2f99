import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.scoring.profiles import PROFILES, profiles_of


def test_there_are_fourteen_profiles_with_their_weights_and_thresholds():
    said = {
        name: (PROFILES[name].alpha, PROFILES[name].beta, PROFILES[name].gamma) for name in PROFILES
    }
    assert len(said) == 14
    assert said["BALANCED"] == (0.6, 0.4, 0.3)
    assert said["CRITICAL"] == (0.2, 0.8, 0.4)
    assert said["EXECUTIVE_DYSFUNCTION"] == (0.3, 0.7, 0.1)
    open_to_the_graph = {name for name in PROFILES if PROFILES[name].threshold > 0.4}
    assert open_to_the_graph == {"DIVERGENT", "EXECUTIVE_DYSFUNCTION"}


def test_profiles_that_filter_say_what():
    assert (PROFILES["DEBUGGING"].valence_to, PROFILES["RECALLING"].valence_from) == (-10, 10)
    assert PROFILES["PARANOID_SENTINEL"].query_valence == -128
    assert PROFILES["HIGHLY_SENSITIVE"].min_importance == 0.01
    assert PROFILES["HYPERFOCUS"].hyperfocus_boost == 1.5
    assert PROFILES["SYSTEMATIZER"].strictness == PROFILES["THE_EXECUTOR"].strictness == 10.0


def test_a_query_without_a_profile_has_none_and_an_unknown_one_counts_as_balanced():
    profiles, unknown = profiles_of("own", ("", "UNKNOWN_PROFILE", "CRITICAL"), 3)
    assert profiles == [None, PROFILES["BALANCED"], PROFILES["CRITICAL"]]
    assert unknown == 1
    assert profiles_of("own", (), 2) == ([None, None], 0)
    assert profiles_of(None, ("CRITICAL",), 1) == ([None], 0)


def test_a_plan_that_asks_for_an_unknown_profile_is_told_the_near_ones():
    with pytest.raises(ConfigError, match="CRITICAL"):
        profiles_of("CRITICALS", (), 1)
