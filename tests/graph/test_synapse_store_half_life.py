"""Half-lives that are learned, read and set. T pinned by a test, M measured."""

import math

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days
from hebb_lab.graph.store.decay import learned_half_life_days, observed_half_life_days

FIXED = DOCUMENTED.change(half_life="fixed")


def learned(rules, *moments, namespace="personal"):
    store = SynapseStore(rules)
    for moment in moments:
        store.reinforce(["a", "b"], days(moment), namespace=namespace)
    return store


def weight(store, moment, namespace="personal"):
    return store.weight_of("a", "b", days(moment), [namespace])


# --- the learned half-life, observed

TABLE = {2: 21.042, 3: 27.317, 4: 32.456, 5: 36.754, 6: 40.408, 7: 43.561, 8: 46.313, 9: 48.739,
         10: 50.898, 12: 54.580, 17: 61.302, 18: 62.354, 30: 70.970}  # fmt: skip


def stored_half_life(store, moment, namespace="personal"):
    return store.alive(("a", "b", namespace), days(moment)).half_life_days


@pytest.mark.parametrize("count", TABLE)
def test_the_observed_half_life_is_a_function_of_the_count(count):
    """M: live table (personal, age >= 1 d)."""
    store = learned(OBSERVED, 0, *[2] * (count - 1))
    assert stored_half_life(store, 2) == pytest.approx(TABLE[count], abs=5e-4)


def test_a_million_reinforcements_approach_the_upper_bound():
    """M: n=1e6: 110.65."""
    assert observed_half_life_days(OBSERVED, "personal", 10**6, 2) == pytest.approx(
        110.65, abs=0.01
    )


@pytest.mark.parametrize("age", [2, 20, 200])
def test_the_frequency_cancels(age):
    """M: n=10 gives 50.898 d at age 2, 20 or 200 d."""
    store = learned(OBSERVED, 0, *[age] * 9)
    assert stored_half_life(store, age) == pytest.approx(50.898, abs=5e-4)


def test_the_midpoint_is_at_17_reinforcements():
    """Midpoint 61.5 at n=17.18."""
    low, high = (observed_half_life_days(OBSERVED, "personal", n, 2) for n in (17, 18))
    assert low < 61.5 < high
    assert 10 * (math.e - 1) == pytest.approx(17.18, abs=0.005)


def test_the_second_reinforcement_shortens_the_half_life_and_the_fourth_regains_it():
    """M: 30 -> 21.04; 30 d is regained only at n=4."""
    lives = [stored_half_life(learned(OBSERVED, 0, *[2] * n), 2) for n in range(4)]
    assert lives[0] == 30.0
    assert lives[1] == pytest.approx(21.042, abs=5e-4)
    assert lives[2] < 30 < lives[3]


def test_in_its_first_day_an_edge_keeps_the_default():
    """M: 50 reinforcements inside one day: still 30.0. T: first_activated == now -> 30.0."""
    store = learned(OBSERVED, *[number / 51 for number in range(50)])
    assert stored_half_life(store, 1) == 30.0
    assert observed_half_life_days(OBSERVED, "personal", 1, 0) == 30.0


def test_a_fresh_ephemeral_edge_lives_three_days_not_one():
    """M: fresh max(3, 1) = 3 d; one day after a fresh reinforce weight is .238, not .15."""
    store = learned(OBSERVED, 0, namespace="ephemeral")
    assert stored_half_life(store, 0, "ephemeral") == 3.0
    store.decay(days(1))
    assert weight(store, 1, "ephemeral") == pytest.approx(0.238, abs=5e-4)


@pytest.mark.parametrize(("namespace", "half_life"), [("ephemeral", 21.042), ("shared", 69.25)])
def test_the_second_reinforcement_in_other_namespaces(namespace, half_life):
    """M: ephemeral n=2, age 2 d: 21.04 d; shared n=2 age 2 d: 69.25."""
    store = learned(OBSERVED, 0, 2, namespace=namespace)
    assert stored_half_life(store, 2, namespace) == pytest.approx(half_life, abs=5e-3)


def test_a_fresh_shared_edge_has_sixty_days():
    """M: shared: fresh 60."""
    assert stored_half_life(learned(OBSERVED, 0, namespace="shared"), 0, "shared") == 60.0


def test_the_observed_half_life_does_not_change_while_the_edge_is_idle():
    """2 uses in 30 d: it stays 21.04."""
    store = learned(OBSERVED, 0, 30)
    store.decay(days(55))
    assert stored_half_life(store, 55) == pytest.approx(21.042, abs=5e-4)


# --- the learned half-life, documented


def test_the_bounds_are_3_and_120_days():
    """T: bounds (3.0, 120.0)."""
    assert (DOCUMENTED.half_life_min_days, DOCUMENTED.half_life_max_days) == (3.0, 120.0)


@pytest.mark.parametrize("namespace", ["personal", "shared", "ephemeral"])
@pytest.mark.parametrize("count", [1, 10, 100, 1000])
@pytest.mark.parametrize("idle", [0, 1, 30, 3000])
def test_a_learned_half_life_stays_within_its_bounds(namespace, count, idle):
    """T: n in {1,10,100,1000} within bounds."""
    assert 3.0 <= learned_half_life_days(DOCUMENTED, namespace, count, idle) <= 120.0
    assert 3.0 <= observed_half_life_days(OBSERVED, namespace, count, idle) <= 120.0


def test_more_reinforcements_live_longer():
    """T: n=100 > n=2."""
    many, few = (learned_half_life_days(DOCUMENTED, "personal", n, 0.04) for n in (100, 2))
    assert many > few


def test_a_fresh_edge_lives_at_least_as_long_as_an_idle_one():
    """T: fresh >= stale (n=100)."""
    fresh, stale = (learned_half_life_days(DOCUMENTED, "personal", 100, d) for d in (0.04, 10))
    assert fresh >= stale


@pytest.mark.parametrize(
    ("count", "idle", "half_life"), [(40, 0, 75.2), (2, 25, 25.0), (2, 25, 24.97), (1, 1e6, 30.0)]
)
def test_the_examples_of_the_publication(count, idle, half_life):
    """40 uses in 20 d -> 75.2 d; 2 uses in 30 d, idle 25 d -> 25 d (24.97); long idle: default."""
    value = learned_half_life_days(DOCUMENTED, "personal", count, idle)
    assert value == pytest.approx(half_life, abs=0.05)


def test_the_page_knows_no_floor_of_sixty_days_for_shared():
    assert learned_half_life_days(DOCUMENTED, "shared", 1, 0) == pytest.approx(13.18, abs=0.01)
    assert learned_half_life_days(DOCUMENTED, "shared", 1, 1e6) == 60.0


def test_the_documented_half_life_is_asked_for_when_the_edge_is_read():
    store = learned(DOCUMENTED, 0, 0)
    half_life = learned_half_life_days(DOCUMENTED, "personal", 2, 25)
    assert weight(store, 25) == pytest.approx(0.6 * 2 ** (-25 / half_life))


# --- a half-life of its own


@pytest.mark.parametrize("rules", [FIXED, OBSERVED], ids=["read", "pass"])
def test_an_edge_may_have_a_half_life_of_its_own(rules):
    """T: H=120, +30 d -> > .10; H 120 vs 10 -> larger."""
    store = learned(rules, 0)
    store.reinforce(["c", "d"], 0)
    store.set_half_life("b", "a", 120)
    store.set_half_life("c", "d", 10)
    store.decay(days(30))
    assert weight(store, 30) == pytest.approx(0.3 * 2**-0.25)
    assert store.weight_of("c", "d", days(30)) == pytest.approx(0.3 / 8)


def test_a_missing_edge_has_no_half_life_to_set():
    """T: missing edge -> None."""
    with pytest.raises(InputError, match="no edge x - y"):
        SynapseStore(FIXED).set_half_life("x", "y", 10)


@pytest.mark.parametrize("shape", ["power_law", "two_time_scales"])
def test_mixtures_of_traces_are_not_the_business_of_one_store(shape):
    with pytest.raises(ConfigError, match="average their weights"):
        SynapseStore(DOCUMENTED.change(decay_shape=shape))
