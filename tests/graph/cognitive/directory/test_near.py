"""Near names by deletion, against all distances."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from hebb_lab.graph.cognitive.directory import near as near_module
from hebb_lab.graph.cognitive.directory.names import Names
from hebb_lab.graph.cognitive.directory.near import near_names


def by_all_distances(names, chosen, distance):
    """The first near name before each, and groups, from every pair."""
    best, group = list(range(len(chosen))), list(range(len(chosen)))
    for a, i in enumerate(chosen):
        near = [
            b for b, j in enumerate(chosen[:a])
            if names.kinds[i] == names.kinds[j]
            and Levenshtein.distance(names.folded[i], names.folded[j]) <= distance
        ]  # fmt: skip
        best[a] = min(near, default=a)
        together = {group[b] for b in near} | {group[a]}
        group = [min(together) if g in together else g for g in group]
    return best, group


def made(texts, kinds="A"):
    names = Names()
    for i, text in enumerate(texts):
        names.intern(text, kinds[i % len(kinds)])
    return names


@given(
    st.lists(st.text("abé🜚", min_size=1, max_size=8), min_size=1, max_size=30, unique=True),
    st.sampled_from(["A", "AB"]), st.sampled_from([1, 2]), st.sampled_from([1, 3]),
)  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_near_names_are_those_of_all_distances(texts, kinds, distance, least_length):
    names = made(texts, kinds)
    chosen = names.long_enough(least_length)
    best, group = near_names(names, chosen, distance)
    assert (best.tolist(), group.tolist()) == by_all_distances(names, chosen.tolist(), distance)


def test_many_rounds_find_the_same_as_one(monkeypatch):
    rng = np.random.default_rng(5)
    names = made({"".join(rng.choice(list("abc"), 9)) for _ in range(300)})
    chosen = names.long_enough(1)
    whole = near_names(names, chosen, 2)
    monkeypatch.setattr(near_module, "ROOM", 512)
    parts = near_names(names, chosen, 2)
    assert all((a == b).all() for a, b in zip(whole, parts, strict=True))
    assert whole[0].tolist() == by_all_distances(names, chosen.tolist(), 2)[0]


def test_names_of_another_type_and_distance_zero_are_not_near():
    names = made(["entity one", "entity onf"], "AB")
    assert near_names(names, np.array([0, 1]), 2)[0].tolist() == [0, 1]
    names = made(["entity one", "entity onf"])
    assert near_names(names, np.array([0, 1]), 0)[0].tolist() == [0, 1]
    assert near_names(names, np.array([0, 1]), 1)[0].tolist() == [0, 0]


def test_a_distance_above_two_is_refused():
    with pytest.raises(ValueError, match="3 edits apart"):
        near_names(made(["a", "b"]), np.array([0, 1]), 3)


def test_what_only_hashes_make_equal_is_told_apart(monkeypatch):
    names = made(["entity one", "something"])
    monkeypatch.setattr(near_module, "_mixed", lambda values: values * np.uint64(0))
    assert near_names(names, names.long_enough(1), 2)[0].tolist() == [0, 1]


def test_a_hundred_thousand_names_that_differ_by_a_letter_are_one():
    """5·10⁹ pairs are near; neither time nor memory follows their number."""
    names = made(
        f"entity {chr(0x4E00 + i % 20_000)}{'あいうえお'[i // 20_000]}" for i in range(100_000)
    )
    chosen = names.long_enough(5)
    tracemalloc.start()
    best, group = near_names(names, chosen, 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(names) == 100_000
    assert (best == 0).all()
    assert (group == 0).all()
    assert peak < 400e6
