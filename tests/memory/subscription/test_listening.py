import numpy as np

from hebb_lab.memory.published import OBSERVED
from hebb_lab.memory.state import State
from tests.memory.subscription.made import SECOND, Store, hears, said


def test_without_a_shared_keyword_nothing_is_embedded_or_pushed():
    store = Store(push_keywords=True)
    store.say("the sail was torn")
    subscription = store.subscribe()
    assert hears(subscription, "sailing sailors", 10) == []  # other words, though the same axis
    assert store.asked == []
    assert subscription.counts.without_keywords == 1
    assert hears(subscription, "a sail", 11) == ["the sail was torn"]


def test_without_the_gate_other_words_are_looked_up_too():
    store = Store()
    store.say("the sail was torn")
    assert hears(store.subscribe(), "sailing sailors", 10) == ["the sail was torn"]


def test_keywords_are_those_of_the_scope():
    store = Store(push_keywords=True)
    store.say("sail", at=1, entity="bob")
    store.say("rain", at=2, entity="ada")
    subscription = store.subscribe(entity="ada")
    hears(subscription, "sail", 10)
    assert subscription.counts.without_keywords == 1


def test_a_piece_far_from_the_mean_of_the_scope_is_not_looked_up():
    store = Store(push_centroid=0.4)
    store.say(*["bread oven"] * 20, "sail")
    subscription = store.subscribe()
    assert hears(subscription, "sail", 90) == []
    assert subscription.counts.off_centre == 1
    assert hears(Store.subscribe(store, threshold=0.9), "bread and oven", 91) == ["bread oven"] * 5


def test_without_the_centre_rule_it_is_looked_up():
    store = Store()
    store.say(*["bread oven"] * 20, "sail")
    assert hears(store.subscribe(), "sail", 90) == ["sail"]


def test_new_memories_are_compared_with_the_last_piece():
    store = Store()
    subscription = store.subscribe()
    hears(subscription, "rain", 1)
    hears(subscription, "sail island", 2)
    store.say("rain", "sail", "bread")
    push = subscription.drain()[0]
    assert (push.content, push.piece, push.arrived) == ("sail", 1, True)
    assert subscription.counts.arrived == 3


def test_before_any_piece_new_memories_are_compared_with_nothing():
    store = Store()
    subscription = store.subscribe()
    store.say("sail")
    assert subscription.counts.arrived == 0
    assert hears(subscription, "sail", 10) == ["sail"]


def test_a_batch_of_new_memories_pushes_what_single_ones_push():
    batch, single = Store(), Store()
    listened = [store.subscribe() for store in (batch, single)]
    contents = ["sail", "rain", "sail island", "sail"]
    for one in listened:
        hears(one, "sail", 1)
    batch.say(*contents)
    for content in contents:
        single.say(content)
    assert said(listened[0].drain()) == said(listened[1].drain()) == ["sail", "sail island", "sail"]


def test_new_memories_outside_the_scope_are_not_pushed():
    store = Store()
    subscription = store.subscribe(entity="ada", kinds=[1])
    hears(subscription, "sail", 1)
    store.say("sail", entity="bob")
    store.say("sail", entity="ada", kind=[2])
    store.say("sail", entity="ada")
    assert [push.entity_id for push in subscription.drain()] == ["ada"]
    assert subscription.counts.arrived == 1


def test_what_was_due_before_a_write_is_what_it_is_compared_with():
    store = Store()
    subscription = store.subscribe()
    subscription.feed("we sail now", 1 * SECOND)
    store.say("sail", at=5)
    assert [push.arrived for push in subscription.drain()] == [True]


def test_a_text_that_the_embedder_fails_on_is_counted_and_the_others_go_on():
    store = Store()
    store.say("sail")
    subscription = store.subscribe()
    embed = store.embed
    store.embed = lambda texts: 1 / 0 if any("bad" in text for text in texts) else embed(texts)
    with_bad = ["bad rain", "sail", "nothing known"]
    for place, text in enumerate(with_bad):
        subscription.offer(" ".join([text, *"a" * 15]), (10 + place) * SECOND)
    assert said(subscription.drain()) == ["sail"]
    assert subscription.counts.failed_pieces == 2  # the third has no direction
    assert subscription.counts.looked_up == 1


def test_the_gates_forget_with_the_store():
    store = Store(OBSERVED)
    store.say("sail", "rain")
    subscription = store.subscribe()
    assert hears(subscription, "sail", 10) == ["sail"]
    store.forget(0)
    hears(subscription, "sail", 11)
    assert subscription.counts.without_keywords == 1


def test_a_store_that_was_read_anew_is_followed():
    store = Store()
    store.say("sail", "rain")
    subscription = store.subscribe()
    assert hears(subscription, "sail", 10) == ["sail"]
    writer = Store()
    writer.journal, writer.rng = store.journal, np.random.default_rng(9)
    writer.state = reread(store)
    writer.forget(1)
    writer.say("sail island", at=20)
    store.state = reread(store)
    subscription.meet(20 * SECOND)
    assert said(subscription.drain()) == ["sail island"]
    assert hears(subscription, "sail", 30) == []


def reread(store):
    state = State(store.state.dimensions)
    for change in store.journal.load():
        state.apply(change)
    return state
