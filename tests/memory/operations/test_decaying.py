import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.published import OBSERVED
from hebb_lab.memory.values import Draft
from tests.memory.stores import DAY, made_store


def contents(store):
    rows = np.flatnonzero(store.state.alive)
    return "".join(memory.content for memory in store.get(store.state.ids_of(rows)))


def faded(rules=None, **switches):
    """Three memories of low, middle and high importance, of which a sweep flags two."""
    store = made_store(rules or made_store().rules, **{"half_life_gain": 0.0, **switches})
    ids = store.remember([Draft("a", 0.1), Draft("b", 0.2), Draft("c", 1.0)], 0)
    assert store.decay(150 * DAY).flagged == 2
    return store, list(ids)


def test_what_is_flagged_and_still_low_goes():
    store, _ = faded()
    found = store.auto_forget(151 * DAY)
    assert (found.count, found.truncated) == (2, False)
    assert contents(store) == "c"
    assert set(store.journal.tombstones().reason) == {"auto-forget"}


def test_a_fresh_look_spares_what_was_recalled_after_the_sweep():
    for fresh, left in ((True, "bc"), (False, "c")):
        store, ids = faded(fresh_look=fresh)
        store.reinforce([ids[1]], 151 * DAY)
        store.auto_forget(152 * DAY)
        assert contents(store) == left


def test_what_no_sweep_has_flagged_stays():
    store = made_store()
    store.remember(Draft("a", 0.1), 0)
    assert store.auto_forget(5000 * DAY).count == 0
    assert contents(store) == "a"


def test_so_many_go_a_call_the_lowest_first():
    store, _ = faded(auto_forget_most=1)
    found = store.auto_forget(151 * DAY)
    assert (found.count, found.truncated) == (1, True)
    assert contents(store) == "bc"
    assert store.auto_forget(152 * DAY).count == 1


def test_without_a_fresh_look_the_rest_is_no_longer_flagged():
    store, _ = faded(OBSERVED, auto_forget_most=1)
    assert store.auto_forget(151 * DAY).count == 1
    assert contents(store) == "bc"
    assert store.auto_forget(152 * DAY).count == 0
    assert store.decay(153 * DAY).flagged == 1
    assert store.auto_forget(154 * DAY).count == 1


def test_the_threshold_is_a_switch():
    store, _ = faded()
    assert store.rules.forget_below == 0.01
    store = made_store(forget_below=0.6, half_life_gain=0.0)
    store.remember([Draft("a", 0.5), Draft("b", 0.7)], 0)
    store.decay(1)
    store.auto_forget(2)
    assert contents(store) == "b"


def test_superseded_states_go_by_themselves_or_only_with_what_superseded_them():
    for seen, left in ((True, "c"), (False, "ac")):
        store = made_store(decay_superseded=seen, half_life_gain=0.0)
        (id,) = store.remember(Draft("a", 0.1), 0)
        new = store.revise(id, 1, content="c", importance=1.0)
        store.decay(150 * DAY)
        store.auto_forget(151 * DAY)
        assert contents(store) == left
        store.forget([new], 152 * DAY)
        assert contents(store) == ""


def test_from_decay_to_forgetting_importance_stays_what_it_was():
    store, ids = faded()
    memory = store.get([ids[2]])[0]
    assert memory.importance == 1.0
    assert memory.decay_score == pytest.approx(2**-5)


def test_a_sweep_does_not_go_back_in_time_and_one_that_reads_may():
    store, _ = faded()
    with pytest.raises(InputError, match="goes back"):
        store.decay(149 * DAY)
    with pytest.raises(InputError, match="goes back"):
        store.auto_forget(149 * DAY)
    assert store.sweep(0, [30.0, 60.0]).shape == (3, 2)
    assert store.sweep(30 * DAY).ravel().tolist() == pytest.approx([0.05, 0.1, 0.5])
