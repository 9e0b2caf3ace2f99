"""Memories and rules of decay that no sweep is started with, each named."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kernels.checks.memories import check_memories, check_retention
from tests.kernels.backends import made
from tests.kernels.retained import NOW_US, memory, retention, some_memories

GOOD = some_memories(np.random.default_rng(0), 5)
RULES = retention((30, 1, 100, False))


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("importance", np.float32(np.nan), "entry 3 of the memories' importance is outside"),
        ("importance", np.float32(1.1), r"is outside \[0, 1\]"),
        ("created_us", -1, "entry 3 of the memories' created_us is outside"),
        ("accessed_us", -(2**63), "accessed_us is outside"),
        ("access_count", -1, "access_count is outside"),
    ],
)
def test_a_number_that_no_memory_has_is_refused(part, value, message):
    wrong = getattr(GOOD, part).copy()
    wrong[3] = value
    with pytest.raises(InputError, match=message):
        check_memories(GOOD._replace(**{part: wrong}))


def test_columns_of_other_lengths_or_types_are_refused():
    with pytest.raises(InputError, match="created_us has 4 entries, not 5"):
        check_memories(GOOD._replace(created_us=GOOD.created_us[:4]))
    with pytest.raises(InputError, match="Give a NumPy array of whole numbers"):
        check_memories(GOOD._replace(access_count=GOOD.importance))


def test_no_memories_pass_and_so_do_those_that_a_back_end_holds():
    check_memories(some_memories(np.random.default_rng(0), 0))
    check_memories(made("torch").place(GOOD))


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("half_life_us", 0.0, r"half-life in µs is 0\.0"),
        ("half_life_us", np.inf, "half-life in µs is inf"),
        ("importance_gain", -0.5, r"gain of importance is -0\.5"),
        ("importance_gain", np.nan, "gain of importance is nan"),
        ("count_cap", -1, "cap of counts is -1"),
    ],
)
def test_a_rule_out_of_range_is_refused(part, value, message):
    with pytest.raises(ConfigError, match=message):
        check_retention(RULES._replace(**{part: np.array([value])}), NOW_US)


def test_a_rule_for_each_configuration_and_a_time_from_1970_up():
    with pytest.raises(InputError, match="count_cap"):
        check_retention(RULES._replace(count_cap=np.array([1, 2])), NOW_US)
    for time in (-1, 2**63):
        with pytest.raises(InputError, match="outside int64 from 1970 up"):
            check_retention(RULES, time)


def test_the_back_end_looks_before_it_computes():
    with pytest.raises(ConfigError, match="half-life"):
        made("cpu").decay_scores(memory(), RULES._replace(half_life_us=np.zeros(1)), NOW_US)
