import numpy as np
import pytest

from hebb_lab.memory.changes import Change, Rewritten, Texts
from hebb_lab.memory.subscription.gates import Gates, keywords
from tests.memory.subscription.made import Store, vector_of


def following(store):
    gates = Gates(with_words=True)
    gates.follow(store.state, store.journal, np.flatnonzero(store.state.alive))
    return gates


def follow(gates, store):
    gates.follow(store.state, store.journal, np.flatnonzero(store.state.alive))


def test_keywords_are_lower_case_of_three_bytes_and_no_function_words():
    assert keywords("The OVEN is at No 7, été: ab") == ["oven", "été"]


def test_the_mean_of_two_axes_is_the_pinned_direction():
    store = Store()
    store.say("sail", "island")
    assert following(store).centre()[:2] == pytest.approx([0.7071, 0.7071], abs=1e-4)


def test_without_memories_there_is_no_centre_and_no_word():
    gates = following(Store())
    assert gates.centre() is None
    assert not gates.has_word_of("sail")


def test_words_of_memories_are_known_and_new_ones_are_learned():
    store = Store()
    store.say("We sail.")
    gates = following(store)
    assert gates.has_word_of("SAIL away")
    assert not gates.has_word_of("bread")
    assert not gates.has_word_of("we are")
    for place in range(60):
        store.say(f"bread{place} rises")
        follow(gates, store)
    assert gates.has_word_of("sail")
    assert all(gates.has_word_of(f"bread{place}") for place in range(60))


def test_new_memories_move_the_centre_as_if_it_were_made_anew():
    store = Store()
    store.say("sail island", "rain")
    gates = following(store)
    store.say("bread", "oven violin")
    follow(gates, store)
    assert gates.centre().tolist() == following(store).centre().tolist()


def test_nothing_of_a_forgotten_memory_is_left():
    store = Store()
    store.say("We sail.", "Some bread.")
    gates = following(store)
    store.forget(0)
    assert not gates.are_of(store.state)
    follow(gates, store)
    assert gates.are_of(store.state)
    assert not gates.has_word_of("sail")
    assert gates.centre().tolist() == vector_of("bread").tolist()


def test_a_memory_that_was_rewritten_is_known_by_its_new_words():
    store = Store()
    store.say("We sail.")
    gates = following(store)
    texts = Texts(["Some bread."], ["{}"], [None], vector_of("bread")[None])
    rewritten = Rewritten(store.state.ids_of(np.array([0])), texts)
    store.commit(Change(store.state.clock_us, rewritten=rewritten))
    store.set(0, clock=1)
    follow(gates, store)
    assert gates.has_word_of("bread")
    assert not gates.has_word_of("sail")
    assert gates.centre().tolist() == vector_of("bread").tolist()
