import pytest

from hebb_lab.memory.state import State
from hebb_lab.memory.subscription.lookup import Candidate
from hebb_lab.memory.subscription.pushing import DAY_US, Pushes
from hebb_lab.memory.subscription.values import Counts, Wanted
from tests.memory.subscription.made import Store, said

FOUR = ("sail", "island trip", "rain all day", "bread and an oven")


def made(*contents, wanted=None, **switches):
    store = Store(**switches)
    store.say(*(contents or FOUR))
    counts = Counts()
    return store, counts, Pushes(store, wanted or Wanted(), counts)


def push(pushes, *rows, at_us=0, most=9):
    pushes.push([Candidate(row, 0.9) for row in rows], most, at_us, 0, arrived=False)


def test_a_fourth_push_in_a_queue_of_three_drops_the_oldest():
    _, counts, pushes = made(push_queue=3)
    push(pushes, 0, 1, 2, 3)
    assert said(pushes.taken()) == list(FOUR[1:])
    assert counts.dropped_pushes == 1


def test_what_was_dropped_may_come_again_and_cost_nothing():
    _, counts, pushes = made(push_queue=1, wanted=Wanted(budget_pushes=2))
    push(pushes, 0, 1)
    push(pushes, 0)
    assert said(pushes.taken()) == ["sail"]
    assert (counts.pushed, counts.dropped_pushes, counts.over_budget) == (3, 2, 0)


def test_no_memory_is_pushed_twice():
    _, counts, pushes = made()
    push(pushes, 0, 1)
    push(pushes, 1, 2, at_us=400 * DAY_US)
    assert said(pushes.taken()) == list(FOUR[:3])
    assert counts.pushed == 3


def test_by_rule_a_memory_is_pushed_again_after_so_many_days():
    _, _, pushes = made(push_again_days=2.0)
    push(pushes, 0)
    push(pushes, 0, at_us=2 * DAY_US - 1)
    assert pushes.barred(2 * DAY_US - 1).tolist() == [0]
    assert len(pushes) == 1
    push(pushes, 0, at_us=2 * DAY_US)
    assert len(pushes) == 2
    assert pushes.barred(4 * DAY_US).tolist() == []


def test_barred_memories_are_counted_where_they_are_looked_up_at_all():
    for scope, barred in (("before", 0), ("after", 1)):
        _, counts, pushes = made(push_scope=scope)
        push(pushes, 0)
        push(pushes, 0)
        assert counts.barred == barred


def test_a_budget_of_pushes_ends_them():
    _, counts, pushes = made(wanted=Wanted(budget_pushes=2))
    push(pushes, 0, 1, 2, 3)
    assert said(pushes.taken()) == ["sail", "island trip"]
    assert counts.over_budget == 2


def test_a_budget_of_words_passes_over_what_is_too_long():
    _, counts, pushes = made(wanted=Wanted(budget_tokens=4))
    push(pushes, 1, 2, 0, 3)
    assert said(pushes.taken()) == ["island trip", "sail"]
    assert counts.over_budget == 2


def test_a_budget_of_nothing_pushes_nothing():
    for wanted in (Wanted(budget_pushes=0), Wanted(budget_tokens=0)):
        _, counts, pushes = made(wanted=wanted)
        push(pushes, 0)
        assert (len(pushes), counts.over_budget) == (0, 1)


def test_the_best_so_many_that_may_be_pushed_are_pushed():
    _, _, pushes = made()
    push(pushes, 0)
    push(pushes, 0, 1, 2, 3, most=2)
    assert said(pushes.taken()) == list(FOUR[:3])


def test_what_is_forgotten_or_superseded_while_it_waits_is_not_handed_out():
    store, counts, pushes = made()
    push(pushes, 0, 1, 2)
    store.forget(0)
    store.set(1, superseded=True)
    assert said(pushes.taken()) == ["rain all day"]
    assert counts.gone == 2


def test_a_push_says_what_the_memory_is():
    store = Store()
    store.say("sail", entity="ada", kind=[2])
    pushes = Pushes(store, Wanted(), Counts())
    pushes.push([Candidate(0, 1.0000001)], 1, 7, 3, arrived=True)
    push = pushes.taken()[0]
    assert push == (
        store.state.ids_of([0])[0], "sail", {}, "ada", 2, 1.0, 7, 3, True,
    )  # fmt: skip


def test_a_callback_gets_each_push_and_its_errors_lose_none():
    got = []

    def callback(push):
        got.append(push.content)
        if len(got) == 2:
            raise RuntimeError("not now")

    _, counts, pushes = made(wanted=Wanted(callback=callback))
    push(pushes, 0, 1, 2)
    assert got == list(FOUR[:3])
    assert (counts.pushed, counts.delivered, counts.failed_callbacks) == (3, 2, 1)
    assert len(pushes) == 0


def test_a_callback_may_not_be_ended_by_swallowing_an_interrupt():
    def callback(push):
        raise KeyboardInterrupt

    _, _, pushes = made(wanted=Wanted(callback=callback))
    with pytest.raises(KeyboardInterrupt):
        push(pushes, 0)


def test_pushes_follow_a_store_that_was_read_anew():
    store, _, pushes = made()
    push(pushes, 1, 3)
    store.forget(0)
    before, after = store.state, State(store.state.dimensions)
    for change in store.journal.load():
        after.apply(change)
    store.state = after
    pushes.move(before, after)
    assert sorted(pushes.barred(0).tolist()) == [0, 2]
    assert said(pushes.taken()) == [FOUR[1], FOUR[3]]
