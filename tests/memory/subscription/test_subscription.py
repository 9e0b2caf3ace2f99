import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.subscription.subscription import INBOX
from tests.memory.subscription.made import SECOND, WORDS, Store, hears, said, vector_of


def made(*contents, **switches):
    store = Store(**switches)
    store.say(*(contents or ("sail", "rain")))
    return store


def test_every_push_reaches_the_threshold():
    store = made("sail", "sail island", "sail island rain", "rain")
    assert hears(store.subscribe(), "sail", 10) == ["sail", "sail island"]
    assert hears(store.subscribe(threshold=0.5), "sail", 10) == [
        "sail", "sail island", "sail island rain",
    ]  # fmt: skip
    narrow = made("sail", "sail island", push_threshold=0.9)
    subscription = narrow.subscribe()
    subscription.feed_vector(vector_of("sail"), 10 * SECOND)
    pushes = subscription.drain()
    assert all(push.confidence >= 0.9 for push in pushes)
    assert said(pushes) == ["sail"]


def test_nothing_is_reinforced():
    store = made()
    version = store.state.version
    assert hears(store.subscribe(), "sail", 10) == ["sail"]
    assert store.state.version == version


def test_no_id_is_pushed_twice():
    store = made(*["sail"] * 12)
    subscription = store.subscribe()
    ids = []
    for at in range(20, 26):
        subscription.feed(" ".join(["sail"] * 15), at * SECOND)
        ids += [push.id for push in subscription]
    assert len(ids) == len(set(ids)) == 12


def test_so_many_as_the_rules_say_are_pushed_for_a_piece():
    assert len(hears(made(*["sail"] * 12).subscribe(), "sail", 20)) == 5
    assert len(hears(made(*["sail"] * 12, push_candidates=3).subscribe(), "sail", 20)) == 3


def test_time_alone_completes_a_piece():
    subscription = made().subscribe()
    subscription.feed("we sail now", 10 * SECOND)
    assert subscription.drain() == []
    subscription.tick(10 * SECOND + 499_999)
    assert subscription.drain() == []
    subscription.tick(12 * SECOND)
    push = subscription.drain()[0]
    assert (push.content, push.at_us) == ("sail", 10 * SECOND + 500_000)


def test_words_alone_complete_a_piece():
    subscription = made(flush_tokens=3).subscribe()
    subscription.feed("we", 10 * SECOND)
    subscription.feed("sail now", 10 * SECOND)
    assert said(subscription.drain()) == ["sail"]
    late = made(flush_tokens=4).subscribe()
    late.feed("we sail now", 10 * SECOND)
    assert late.drain() == []


def test_iterating_ends_when_nothing_waits_and_may_begin_again():
    subscription = made().subscribe()
    subscription.feed_vector(vector_of("sail"), 10 * SECOND)
    assert said(subscription) == ["sail"]
    assert list(subscription) == []
    subscription.feed_vector(vector_of("rain"), 11 * SECOND)
    assert said(subscription) == ["rain"]


def test_draining_takes_the_oldest_and_at_most_so_many():
    subscription = made("sail", "rain", "bread").subscribe()
    for word in ("sail", "rain", "bread"):
        subscription.feed_vector(vector_of(word), 10 * SECOND)
    assert said(subscription.drain(2)) == ["sail", "rain"]
    assert subscription.waiting == 1


def test_a_full_inbox_refuses_pieces_and_counts_them():
    subscription = made(flush_tokens=1).subscribe()
    taken = [subscription.offer("sail", 10 * SECOND) for _ in range(INBOX + 3)]
    assert taken == [True] * INBOX + [False] * 3
    assert subscription.counts.dropped_pieces == 3
    assert subscription.waiting_pieces == INBOX == 1000
    assert subscription.work() == INBOX
    assert subscription.offer("sail", 10 * SECOND)
    assert said(subscription.drain()) == ["sail"]


def test_work_may_be_done_in_parts():
    subscription = made(flush_tokens=1).subscribe()
    for _ in range(100):
        subscription.offer("sail", 10 * SECOND)
    assert subscription.work(40) == 40
    assert subscription.waiting_pieces == 60
    assert subscription.work() == 60


def test_offers_from_other_threads_are_all_there():
    subscription = made(flush_tokens=1).subscribe()

    def produce():
        for _ in range(100):
            subscription.offer("sail", 10 * SECOND)

    producers = [threading.Thread(target=produce) for _ in range(4)]
    for producer in producers:
        producer.start()
    done = 0
    while any(producer.is_alive() for producer in producers) or subscription.waiting_pieces:
        done += subscription.work()
    assert done == subscription.counts.pieces == 400


def test_a_callback_that_writes_and_feeds_gets_what_it_fed_and_not_what_it_wrote():
    store = made(flush_tokens=1)
    got = []

    def callback(push):
        got.append(push.content)
        if push.content == "sail":
            store.say("sail island")
            subscription.feed("rain", 90 * SECOND)

    subscription = store.subscribe(callback=callback)
    subscription.feed("sail", 80 * SECOND)
    assert got == ["sail", "rain"]
    subscription.feed("sail", 100 * SECOND)
    assert got == ["sail", "rain", "sail island"]


@pytest.mark.parametrize("scope", ["before", "after"])
def test_callbacks_that_remember_and_feed_come_to_an_end(scope):
    store = made(push_scope=scope)
    got = [[], []]

    def remembering(own):
        def callback(push):
            own.append(push.content)
            assert len(own) < 50  # counted as a failed callback
            store.say("sail again")
            subscriptions[0].feed("sail", 80 * SECOND)

        return callback

    subscriptions = [store.subscribe(callback=remembering(own)) for own in got]
    for one in subscriptions:
        one.feed_vector(vector_of("sail"), 80 * SECOND)
    store.say("sail by hand")
    assert [one.counts.failed_callbacks for one in subscriptions] == [0, 0]
    assert all("sail by hand" in own for own in got)


def test_a_callback_that_closes_the_subscription_gets_nothing_more():
    store = made("sail", "sail", "sail")
    got = []

    def callback(push):
        got.append(push)
        subscription.close()

    subscription = store.subscribe(callback=callback)
    subscription.feed_vector(vector_of("sail"), 80 * SECOND)
    assert len(got) == 1


def test_a_callback_that_forgets_what_was_found_with_it_does_not_get_that():
    store = made("sail", "sail")
    got = []

    def callback(push):
        got.append(push.content)
        store.forget(0)

    store.subscribe(callback=callback).feed_vector(vector_of("sail"), 80 * SECOND)
    assert len(got) == 1


def test_a_clock_that_goes_back_is_refused_or_kept_by_rule():
    subscription = made().subscribe()
    subscription.feed("sail", 10 * SECOND)
    for call in (subscription.tick, subscription.flush, lambda at: subscription.feed("x", at)):
        with pytest.raises(InputError, match="clock goes back"):
            call(9 * SECOND)
    kept = made(clock_back="keep").subscribe()
    kept.feed("sail", 10 * SECOND)
    kept.flush(9 * SECOND)
    assert said(kept.drain()) == ["sail"]


@pytest.mark.parametrize("text", ["x" * 65_537, "\ud800", 7])
def test_a_text_that_no_memory_could_be_is_refused(text):
    with pytest.raises(InputError, match="content"):
        made().subscribe().feed(text, 10 * SECOND)


@pytest.mark.parametrize("vector", [[1.0], [0.0] * 8, [float("nan")] * 8])
def test_a_vector_without_a_direction_here_is_refused(vector):
    with pytest.raises(InputError):
        made().subscribe().feed_vector(np.array(vector), 10 * SECOND)


def test_text_needs_an_embedder_and_vectors_do_not():
    store = made()
    store.embedder = None
    subscription = store.subscribe()
    with pytest.raises(ConfigError, match="embedder"):
        subscription.feed("sail", 10 * SECOND)
    subscription.feed_vector(vector_of("sail"), 10 * SECOND)
    assert said(subscription.drain()) == ["sail"]


def test_a_closed_subscription_takes_nothing_and_holds_nothing():
    subscription = made().subscribe()
    with subscription:
        subscription.feed_vector(vector_of("sail"), 10 * SECOND)
    assert subscription.drain() == []
    for call in (lambda: subscription.feed("x", 99 * SECOND), lambda: subscription.tick(99)):
        with pytest.raises(StoreError, match="closed"):
            call()


texts = st.lists(st.sampled_from([*WORDS, "the"]), min_size=1, max_size=4).map(" ".join)
events = st.lists(st.tuples(st.sampled_from(["feed", "say", "forget"]), texts), max_size=25)


@settings(deadline=None, max_examples=60)
@given(events, st.integers(1, 4), st.integers(1, 6))
def test_a_stream_pushes_what_a_plain_model_pushes(lived, most, queue):
    store = Store(flush_tokens=1, push_candidates=most, push_queue=queue)
    subscription = store.subscribe()
    alive, pushed, waiting, last, taken = {}, set(), [], None, []

    def push(row):
        pushed.add(row)
        waiting.append(row)
        if len(waiting) > queue:
            pushed.discard(waiting.pop(0))

    for place, (what, text) in enumerate(lived, 1):
        vector = vector_of(text).astype(float)
        if what == "feed":
            subscription.feed(text, 2 * place * SECOND)
            if vector.any():
                last = vector
                near = {row: np.float32(other @ vector) for row, other in alive.items()}
                best = sorted(near, key=lambda row: (-near[row], -row))
                best = [row for row in best if row not in pushed and alive[row].any()][:most]
                for row in best:
                    if near[row] >= 0.6:
                        push(row)
        elif what == "say":
            row = int(store.say(text, at=2 * place)[0])
            alive[row] = vector
            if last is not None and vector.any() and np.float32(vector @ last) >= 0.6:
                push(row)
        elif alive:
            row = max(alive)
            store.forget(row)
            del alive[row]
        if place % 3 == 0:
            there = [row for row in waiting if row in alive]
            pushed -= set(waiting) - set(there)
            waiting.clear()
            assert [p.id for p in subscription.drain()] == list(store.state.ids_of(there))
            taken += there
    counts = subscription.counts
    assert counts.pushed == (
        counts.delivered + counts.dropped_pushes + counts.gone + subscription.waiting
    )
    assert counts.pieces == counts.looked_up + counts.failed_pieces
    assert counts.delivered == len(taken)


@settings(deadline=None, max_examples=40)
@given(st.lists(texts, min_size=1, max_size=20), st.lists(texts, min_size=1, max_size=80))
def test_what_is_looked_up_together_is_what_one_after_the_other_finds(contents, pieces):
    store = Store(flush_tokens=1, push_candidates=2)
    store.say(*contents)
    together, alone = store.subscribe(), store.subscribe()
    for place, piece in enumerate(pieces):
        together.offer(piece, (100 + place) * SECOND)
        alone.feed(piece, (100 + place) * SECOND)
    assert together.drain() == alone.drain()
    assert together.counts == alone.counts
