import numpy as np

from hebb_lab.memory.subscription import stream
from tests.memory.subscription.made import SECOND, Store, said, vector_of


def pieces(*texts):
    return ((place * SECOND + 60 * SECOND, text) for place, text in enumerate(texts))


def test_any_iterator_of_text_becomes_pushes():
    store = Store()
    store.say("sail", "rain", "bread")
    told = pieces("we sail today", "and then", "there was rain", "bread")
    assert said(stream(store, told)) == ["sail", "rain", "bread"]
    assert len(store.subscriptions) == 0


def test_pushes_come_before_the_next_piece_is_taken():
    store = Store()
    store.say("sail")
    taken = []

    def told():
        for at_us, text in pieces("we sail a lot", "rain and more rain", "bread"):
            taken.append(text)
            yield at_us, text

    pushes = stream(store, told(), entity=None)
    assert next(pushes).content == "sail"
    assert taken == ["we sail a lot", "rain and more rain"]  # the second's time made the first due


def test_a_stream_that_is_left_closes_its_subscription():
    store = Store()
    store.say("sail")
    pushes = stream(store, pieces("we sail a lot", "rain", "bread"))
    next(pushes)
    assert len(store.subscriptions) == 1
    pushes.close()
    assert len(store.subscriptions) == 0


def test_vectors_are_pieces_too():
    store = Store()
    store.say("sail", "rain")
    told = [(60 * SECOND, vector_of("sail")), (61 * SECOND, np.float32(2) * vector_of("rain"))]
    assert said(stream(store, told)) == ["sail", "rain"]


def test_an_empty_stream_pushes_nothing():
    assert list(stream(Store(), [])) == []
