"""Decay, continuous and by passes, floor and pruning. T pinned by a test, M measured."""

import math

import pytest

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.store import SynapseStore, days
from hebb_lab.graph.store.exchange import import_edges

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["documented", "observed"])
FIXED = DOCUMENTED.change(half_life="fixed")
COMPOUNDING = FIXED.change(decay_passes="compounding")
HOUR = days(1) // 24
AB = ("a", "b", "personal")


def learned(rules, *moments, namespace="personal"):
    store = SynapseStore(rules)
    for moment in moments:
        store.reinforce(["a", "b"], days(moment), namespace=namespace)
    return store


def weight(store, moment, namespace="personal"):
    return store.weight_of("a", "b", days(moment), [namespace])


# --- one half-life (decay_weight of the code, the promise of the page)


@pytest.mark.parametrize(
    ("namespace", "age", "factor"),
    [
        ("personal", 0, 1),
        ("personal", 30, 1 / 2),
        ("personal", 60, 1 / 4),
        ("branch:x", 30, 1 / 2),
        ("mine", 30, 1 / 2),
        ("shared", 60, 1 / 2),
        ("ephemeral", 1, 1 / 2),
        ("ephemeral", 2, 1 / 4),
    ],
)
def test_a_weight_halves_with_each_half_life_of_its_namespace(namespace, age, factor):
    """T: age 0 -> same; 1 H -> .5; 2 H -> .25. Half-lives 30 / 60 / 1 d."""
    store = learned(FIXED, 0, namespace=namespace)
    assert weight(store, age, namespace) == pytest.approx(0.3 * factor)


def test_a_half_life_of_ten_days_halves_in_ten_days():
    """T: H=10, 10 d -> .5."""
    store = learned(FIXED.change(half_life_personal_days=10.0), 0)
    assert weight(store, 10) == pytest.approx(0.15)


def test_a_reader_before_the_last_activation_sees_no_decay():
    """T: future -> same."""
    assert weight(learned(FIXED, 30), 0) == pytest.approx(0.3)


def test_a_weight_of_0_stays_0():
    """T: w<=0 -> 0."""
    store = learned(FIXED.change(learning_rate=0.0, prune_below=0.0), 0)
    assert weight(store, 10) == 0.0


@pytest.mark.parametrize("rules", [FIXED, COMPOUNDING], ids=["read", "pass"])
def test_an_edge_of_030_is_at_015_after_30_days(rules):
    """T: personal NULL half-life, .30, +30 d -> <.20 (exactly .15)."""
    store = SynapseStore(rules)
    import_edges(store, [("a", "b", 0.30, 1)], 0, "personal")
    store.decay(days(30))
    assert weight(store, 30) == pytest.approx(0.15)


def test_no_decay_is_no_decay():
    store = learned(DOCUMENTED.change(half_life="none"), 0)
    store.record_sequence(["a", "b"], 0)
    assert weight(store, 10_000) == 0.3
    assert store.next_likely("a", days(10_000)) == [("b", 1.0)]


@BOTH
def test_a_fresh_edge_survives_a_pass(rules):
    """T: fresh survives."""
    store = learned(rules, 0)
    store.decay(0)
    assert weight(store, 0) == pytest.approx(0.3)


@BOTH
def test_a_pass_leaves_an_edge_of_three_windows_above_pruning(rules):
    """T: after 3x and decay > .01."""
    store = learned(rules, 0, 0, 0)
    store.decay(0)
    assert weight(store, 0) > 0.01


def test_shared_outlasts_personal():
    """T: shared(60) > personal(30) at 30 d age."""
    for rules in (FIXED, OBSERVED):
        store = learned(rules, 0)
        store.reinforce(["a", "b"], 0, namespace="shared")
        store.decay(days(30))
        assert weight(store, 30, "shared") > weight(store, 30) > 0


# --- continuous: what the page promises


def test_a_single_edge_is_gone_after_147_days():
    """Promised (single pass): .15 at day 30, prune at day 147."""
    store = learned(FIXED, 0)
    gone = 30 * math.log2(0.30 / 0.01)
    assert gone == pytest.approx(147.2, abs=0.05)
    assert weight(store, gone - 0.001) == pytest.approx(0.01, abs=1e-5)
    assert weight(store, gone + 0.001) == 0.0


@pytest.mark.parametrize("passes", [1, 7, 30])
def test_continuous_passes_change_nothing_that_a_reader_sees(passes):
    """The publication: hourly or weekly passes yield identical weights."""
    plain, passed = learned(DOCUMENTED, 0, 1), learned(DOCUMENTED, 0, 1)
    for number in range(1, passes + 1):
        passed.decay(days(1 + 29 * number / passes))
    assert weight(passed, 30) == weight(plain, 30)
    passed.reinforce(["a", "b"], days(30))
    plain.reinforce(["a", "b"], days(30))
    assert passed.edges(days(90)) == plain.edges(days(90))


def test_a_pass_reports_what_is_gone_and_what_is_left():
    store = learned(FIXED, 0)
    store.reinforce(["c", "d"], days(150))
    store.record_sequence(["a", "b"], 0)
    assert store.decay(days(150)) == (1, 1, 1, 0)


# --- compounding: what the code does

SERIES = [.293, .280, .261, .238, .212, .185, .157, .131, .106, .084, .065, .049, .037, .027, .019,
          .013]  # fmt: skip


def test_daily_passes_apply_the_age_again_and_again():
    """M: passes on days 1..16 -> .293 .280 ... .013, pruned day 17."""
    store = SynapseStore(OBSERVED)
    store.reinforce(["a", "b"], 0)
    seen = []
    for day in range(1, 17):
        store.decay(days(day))
        seen.append(round(weight(store, day), 3))
    assert seen == SERIES
    store.decay(days(17))
    assert store.edges(days(17)) == {}


@pytest.mark.parametrize(("gap_days", "passes"), [(1, 5), (0.25, 20), (3, 4)])
def test_compounding_has_a_closed_form(gap_days, passes):
    """w0 * 2^(-d * n(n+1) / (2H)) for n passes d days apart."""
    store = learned(COMPOUNDING, 0)
    for number in range(1, passes + 1):
        store.decay(days(gap_days * number))
    promised = 0.3 * 2 ** (-gap_days * passes * (passes + 1) / 60)
    assert weight(store, 99) == pytest.approx(promised)


def passes_until(rules, step_us, reached, strength=1.0, times=1):
    """Hours until a pass leaves a weight for which ``reached`` holds."""
    store = SynapseStore(rules)
    for _ in range(times):
        store.reinforce(["a", "b"], 0, strength)
    now = 0
    while not reached(store.weight_of("a", "b", now)):
        now += step_us
        store.decay(now)
    return now / HOUR


@pytest.mark.parametrize(
    ("minutes", "halved_hours", "gone_hours"),
    [(10, 15.5, 34.3), (24 * 60, 8 * 24, 17 * 24), (6 * 60, 3.75 * 24, 8.5 * 24)],
)
def test_the_more_often_passes_run_the_sooner_an_edge_is_gone(minutes, halved_hours, gone_hours):
    """M: every 600 s: half at 15.5 h, gone at 34.3 h; daily 8 and 17 d; 4 a day 3.75 and 8.5 d."""
    step = minutes * 60_000_000
    halved = passes_until(OBSERVED, step, lambda w: w <= 0.15 + 1e-12)
    gone = passes_until(OBSERVED, step, lambda w: w == 0.0)
    assert (halved, gone) == pytest.approx((halved_hours, gone_hours), abs=0.05)


def test_passes_every_ten_minutes_bring_a_full_edge_to_the_floor_in_a_day():
    """M: a 1.0 LTP edge reaches the floor at 23.7 h."""
    step = 10 * 60_000_000
    hours = passes_until(OBSERVED, step, lambda w: w == 0.20, strength=2.0, times=5)
    assert hours == pytest.approx(23.7, abs=0.05)


def test_between_passes_nothing_fades_and_nothing_is_pruned():
    store = learned(OBSERVED, 0)
    assert weight(store, 1000) == pytest.approx(0.3)
