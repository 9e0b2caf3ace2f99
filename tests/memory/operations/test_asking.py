import numpy as np

from hebb_lab.memory.operations.asking import asked_cues
from hebb_lab.memory.values import Cues
from tests.memory.stores import EAST, Letters


def test_a_text_and_some_texts_are_cues():
    assert asked_cues("a", ("similarity",), None).texts == ("a",)
    assert asked_cues(["a", "b"], ("similarity",), None).texts == ("a", "b")


def test_only_what_needs_a_vector_is_embedded():
    embedder = Letters()
    seeded = Cues(("a", "b"), seeds=["0" * 26, None])
    assert asked_cues("a", ("temporal",), embedder.encode).vectors is None
    assert asked_cues(Cues(vectors=EAST[None]), "similarity", embedder.encode).vectors is not None
    assert embedder.asked == []
    found = asked_cues(seeded, ("causal",), embedder.encode)
    assert embedder.asked == ["b"]
    assert np.array_equal(found.vectors, [[0, 0, 0, 0], [0, 1, 0, 0]])


def test_an_empty_cue_is_left_for_recall_to_refuse():
    embedder = Letters()
    assert asked_cues(["a", ""], ("similarity",), embedder.encode).vectors is None
    assert asked_cues([], ("similarity",), embedder.encode).vectors is None
    assert embedder.asked == []
