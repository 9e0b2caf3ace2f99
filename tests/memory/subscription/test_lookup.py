import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.memory.subscription.lookup import candidates
from hebb_lab.memory.subscription.scope import Scope
from tests.memory.subscription.made import SECOND, WORDS, Store, vector_of

NOBODY, EVERYTHING = np.zeros(0, np.int64), Scope()


def found(store, texts, *, scope=EVERYTHING, at=100, threshold=0.6, barred=NOBODY, **switches):
    rules = store.rules.change(**switches)
    times = np.full(len(texts), at * SECOND) if isinstance(at, int) else np.array(at) * SECOND
    vectors = np.stack([vector_of(text) for text in texts])
    pieces = candidates(store.state, rules, scope, threshold, vectors, times, barred)
    return [[one.row for one in piece] for piece in pieces]


def crowd():
    """Six memories of bob's that say what the piece says, and one of ada's that nearly does."""
    store = Store()
    store.say(*["sail"] * 6, at=1, entity="bob")
    store.say("sail island", at=10, entity="ada")
    return store


def test_only_what_reaches_the_threshold_is_found():
    store = Store()
    store.say("sail", "sail island", "sail island rain", "rain")
    assert found(store, ["sail"]) == [[0, 1]]
    assert found(store, ["sail"], threshold=0.5) == [[0, 1, 2]]
    assert found(store, ["sail"], threshold=0.8) == [[0]]


def test_a_piece_finds_at_most_push_candidates():
    assert found(crowd(), ["sail"]) == [[5, 4, 3, 2, 1]]
    assert found(crowd(), ["sail"], push_candidates=2) == [[5, 4]]


def test_a_scope_is_filtered_before_the_cut_or_starves_after_it():
    scope = Scope("ada")
    assert found(crowd(), ["sail"], scope=scope) == [[6]]
    assert found(crowd(), ["sail"], scope=scope, push_scope="after") == [[]]
    assert found(crowd(), ["sail"], scope=scope, push_scope="after", push_candidates=7) == [[6]]


def test_what_may_not_be_pushed_again_makes_room_before_the_cut_only():
    barred = np.array([3, 4, 5])
    assert found(crowd(), ["sail"], barred=barred) == [[2, 1, 0, 6]]
    assert found(crowd(), ["sail"], barred=barred, push_scope="after") == [[5, 4, 3, 2, 1]]


def test_what_was_written_after_a_piece_is_not_found():
    store = Store()
    store.say("sail", at=10)
    store.say("sail island", at=20)
    assert found(store, ["sail"] * 3, at=[9, 10, 20]) == [[], [0], [0, 1]]


def test_superseded_states_make_room():
    store = crowd()
    store.set(5, superseded=True)
    assert found(store, ["sail"]) == [[4, 3, 2, 1, 0]]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=30), texts, st.integers(1, 6))
def test_an_exact_search_finds_what_sorting_all_cosines_finds(contents, piece, most):
    store = Store()
    store.say(*contents)
    cosine = np.array(
        [np.float32(vector_of(c).astype(float) @ vector_of(piece).astype(float)) for c in contents]
    )
    order = sorted(range(len(contents)), key=lambda row: (-cosine[row], -row))[:most]
    wanted = [row for row in order if cosine[row] >= 0.6]
    assert found(store, [piece], push_candidates=most) == [wanted]
