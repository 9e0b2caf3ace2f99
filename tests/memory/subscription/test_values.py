import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.memory.subscription.scope import Scope
from hebb_lab.memory.subscription.values import Wanted
from hebb_lab.memory.values import Kind


@pytest.mark.parametrize("threshold", [2.0, -0.1, float("nan")])
def test_a_threshold_that_the_engine_clamps_is_refused(threshold):
    with pytest.raises(ConfigError, match="threshold"):
        Wanted(threshold=threshold)


@pytest.mark.parametrize("name", ["budget_pushes", "budget_tokens"])
def test_a_budget_below_nothing_is_refused(name):
    with pytest.raises(ConfigError, match=name):
        Wanted(**{name: -1})


def test_a_scope_that_no_memory_could_have_is_refused():
    with pytest.raises(InputError, match="entity_id"):
        Wanted(entity="")
    with pytest.raises(InputError, match="kinds"):
        Wanted(kinds=[7])


def test_the_scope_is_what_was_wanted():
    wanted = Wanted(entity="ada", kinds=[Kind.INSIGHT], since_us=1, until_us=2)
    assert wanted.scope == Scope("ada", (Kind.INSIGHT,), 1, 2)
