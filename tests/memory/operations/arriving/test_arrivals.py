import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.operations.arriving.arrivals import as_batch, checked_arrivals
from hebb_lab.memory.values import Batch, Draft, EdgeKind, Kind, Link


def problems(batch, at_us=100, floor_us=None):
    _, found = checked_arrivals(as_batch(batch), 2, at_us, floor_us)
    return {place: problem.problem for place, problem in sorted(found.items())}


def test_drafts_and_columns_come_in_as_the_same():
    vector = np.array([0, 1], np.float32)
    drafts = [
        Draft("a", 0.25, {"k": 1}, "ada", (Link(EdgeKind.CAUSED_BY, 1),), vector, Kind.INSIGHT),
        Draft("b", vector=vector),
    ]
    columns = Batch(
        ["a", "b"], np.stack([vector] * 2), np.array([0.25, 0.5]), [{"k": 1}, {}], ["ada", None],
        {0: (Link(EdgeKind.CAUSED_BY, 1),)}, np.array([2, 1]),
    )  # fmt: skip
    mine, _ = checked_arrivals(as_batch(drafts), 2, 7, None)
    theirs, _ = checked_arrivals(as_batch(columns), 2, 7, None)
    for one, other in zip(mine, theirs, strict=True):
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
        assert not isinstance(one, np.ndarray) or one.dtype == other.dtype


def test_each_memory_is_refused_for_its_own_reason():
    nan = float("nan")
    found = problems([
        Draft("", 0.5), Draft("a", nan), Draft("a", 1.1), Draft("a", True),
        Draft("a", entity_id=""),
        Draft("a", kind=9), Draft("a", vector=np.zeros(2)), Draft("a", context={"a": nan}),
        Draft("a", links=[Link(EdgeKind.CAUSED_BY, 8)]), Draft("good"),
    ])  # fmt: skip
    assert list(found) == list(range(9))
    assert [found[place].split()[0] for place in range(9)] == [
        "content", "importance", "importance", "importance", "entity_id", "kind", "vector",
        "context", "an",
    ]  # fmt: skip


def test_columns_of_numbers_are_held_to_the_same_limits():
    found = problems(Batch(["a"] * 5, importance=np.array([0, 1, 1.1, -0.1, np.nan], np.float32)))
    assert list(found) == [2, 3, 4]
    assert list(problems(Batch(["a"] * 3, kinds=np.array([1, 0, 3], np.int8)))) == [1]
    assert list(problems(Batch(["a"] * 2, importance=2.0))) == [0, 1]
    assert list(problems(Batch(["a"] * 2, entities=""))) == [0, 1]
    assert list(problems(Batch(["a"] * 3, entities=["a", "", "\n"]))) == [1, 2]


def test_times_ascend_from_the_clock_to_the_call():
    times = np.array([5, 5, 4, 101, 100])
    assert list(problems(Batch(["a"] * 5, time_us=times))) == [3]
    assert list(problems(Batch(["a"] * 5, time_us=times), floor_us=-1)) == [2, 3, 4]
    assert list(problems(Batch(["a"] * 2, time_us=np.array([5, 6])), floor_us=6)) == [0]
    assert list(problems(Batch(["a"], time_us=np.array([-1])))) == [0]
    with pytest.raises(InputError, match="no whole numbers"):
        problems(Batch(["a"], time_us=np.array([1.5])))


@pytest.mark.parametrize(
    "columns",
    [{"contexts": [{}]}, {"vectors": np.ones((1, 2))}, {"importance": np.ones(3)},
     {"entities": ["a"]}, {"kinds": np.ones(1, np.int8)}, {"time_us": np.ones(3, np.int64)},
     {"links": {2: []}}],
)  # fmt: skip
def test_columns_of_unequal_length_are_refused(columns):
    with pytest.raises(InputError):
        as_batch(Batch(["a", "b"], **columns))


@pytest.mark.parametrize("drafts", [["a"], [Draft("a"), None], Batch("text")])
def test_what_is_no_draft_is_refused(drafts):
    with pytest.raises(InputError, match=r"no Draft|one text"):
        as_batch(drafts)
