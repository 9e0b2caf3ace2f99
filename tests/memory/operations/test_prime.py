import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.operations.prime import Priming
from hebb_lab.memory.published import DOCUMENTED, OBSERVED
from hebb_lab.memory.values import Draft
from tests.memory.stores import DAY, EAST, NORTH, WEST, Letters, made_store


def primed(store, *args, **asked):
    found = store.prime(*args, **asked)
    return [store.get([hit.id])[0].content for hit in found.hits()]


def filled(**switches):
    """Ten memories of ada, a day apart, of which the first three point east."""
    store = made_store(**switches)
    for place in range(10):
        vector = EAST if place < 3 else NORTH
        store.remember(Draft(f"{place}", entity_id="ada", vector=vector), (place + 1) * DAY)
    store.remember(Draft("other", entity_id="bob", vector=EAST), 10 * DAY)
    return store


def test_half_are_the_newest_in_the_order_of_writing_and_the_rest_are_near():
    store = filled(reinforcement="off")
    assert primed(store, "ada", 11 * DAY, k=6, vector=EAST) == list("789210")
    found = store.prime("ada", 11 * DAY, k=6, vector=EAST)
    assert found.strategies == ("temporal", "similarity")
    assert [hit.strategies[0] for hit in found.hits()] == ["temporal"] * 3 + ["similarity"] * 3
    assert found.hits()[3].relevance == 1.0
    assert np.array_equal(found.ids.array, store.state.ids_of(found.rows[0]).array)


def test_what_is_new_and_near_comes_once_among_the_new():
    store = filled(reinforcement="off")
    assert primed(store, "ada", 11 * DAY, k=5, vector=NORTH) == list("89765")
    found = store.prime("ada", 11 * DAY, k=5, vector=NORTH)
    assert found.hits()[0].strategies == ("temporal", "similarity")


def test_what_is_older_than_a_week_is_not_new_and_its_place_is_filled():
    store = filled(reinforcement="off")
    assert primed(store, "ada", 16 * DAY, k=6, vector=EAST) == list("89" + "2107")
    assert primed(store, "ada", 100 * DAY, k=2, vector=EAST) == list("21")


def test_only_the_entity_is_primed():
    store = filled(reinforcement="off")
    assert "other" not in primed(store, "ada", 11 * DAY, k=200, vector=EAST)
    assert primed(store, "bob", 11 * DAY, vector=EAST) == ["other"]
    assert primed(store, "nobody", 11 * DAY, vector=EAST) == []


def test_at_most_200_are_primed_and_20_by_default():
    store = made_store(reinforcement="off")
    store.remember([Draft(f"{place}", entity_id="ada", vector=EAST) for place in range(300)], DAY)
    assert len(primed(store, "ada", DAY, k=1000, vector=EAST)) == 200
    found = store.prime("ada", DAY, vector=EAST)
    assert len(found.hits()) == 20
    assert found.truncated["temporal"].tolist() == [True]
    assert found.truncated["similarity"].tolist() == [True]


def test_the_cue_is_the_text_given_or_made_of_entity_and_context():
    embedder = Letters()
    store = made_store(embedder=embedder, reinforcement="off")
    store.remember(Draft("abc", entity_id="ada"), DAY)
    store.prime("ada", DAY, cue="bbb")
    store.prime("ada", DAY, context={"topic": "looms", "year": 1843})
    store.prime("ada", DAY)
    assert embedder.asked[1:] == ["bbb", "ada topic: looms year: 1843", "ada"]
    assert Priming("ada", "given", {"a": 1}, None, 5).text() == "given"


def test_without_a_vector_of_the_cue_only_the_new_are_found_and_it_is_told():
    store = filled(reinforcement="off")
    found = store.prime("ada", 11 * DAY, k=4)
    assert [hit.strategies for hit in found.hits()] == [("temporal",)] * 2
    assert [failure.strategy for failure in found.failures] == ["similarity"]


def test_everything_that_is_primed_is_reinforced():
    for mode, expected in (("on", 1), ("off", 0), ("outcome", 0)):
        store = filled(reinforcement=mode)
        found = store.prime("ada", 11 * DAY, k=6, vector=EAST)
        memories = store.get([hit.id for hit in found.hits()])
        assert [memory.access_count for memory in memories] == [expected] * 6
        assert {memory.accessed_us == 11 * DAY for memory in memories} == {expected == 1}


@pytest.mark.parametrize(("entity", "k"), [(None, 5), ("", 5), ("a\n", 5), ("ada", 0)])
def test_priming_needs_an_entity_and_a_number(entity, k):
    with pytest.raises(InputError):
        filled().prime(entity, 11 * DAY, k=k, vector=WEST)


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED], ids=["page", "code"])
def test_an_empty_store_primes_nothing(rules):
    store = made_store(rules)
    assert store.prime("ada", DAY, vector=EAST).hits() == []
    assert store.state.version == 0


def test_one_memory_is_the_nearest():
    store = filled(reinforcement="off")
    assert primed(store, "ada", 11 * DAY, k=1, vector=EAST) == ["2"]
