import numpy as np
import pytest

from hebb_lab.recall.cognitive.scoring import surprise as module
from hebb_lab.recall.cognitive.scoring.surprise import (
    WARM_UP,
    WORKING_MEMORY,
    RunningMoments,
    importance_of_z,
    novelty_distances,
    surprise,
    with_surprise,
)
from hebb_lab.records import Memories


def test_running_moments_are_the_published_example():
    moments = RunningMoments()
    for value in (2, 4, 4, 4, 5, 5, 7, 9):
        moments.add(value)
    assert moments.mean == 5
    assert (moments.z(7), moments.z(11)) == (1.0, 3.0)


def test_a_stream_that_does_not_change_surprises_nobody():
    moments = RunningMoments()
    for _ in range(30):
        moments.add(0.7)
    assert moments.z(9.0) == 0.0
    assert RunningMoments().z(1.0) == 0.0


def test_importance_of_surprise_is_the_published_table():
    z = np.array([-2, -0.5, 0, 1, 2, 4])
    expected = [0.3146, 1.4614, 2.3532, 5.025, 7.6968, 9.7354]
    assert np.abs(importance_of_z(z) - expected).max() < 1e-4


def test_novelty_is_the_distance_to_the_nearest_of_those_just_before():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(1500, 4)).astype(np.float32)
    found = novelty_distances(vectors, window=7)
    assert found[0] == pytest.approx(float(np.linalg.norm(vectors[0])))
    for i in (1, 6, 8, 1023, 1024, 1025, 1499):
        before = vectors[max(i - 7, 0) : i]
        assert found[i] == pytest.approx(np.linalg.norm(before - vectors[i], axis=1).min())


def test_flashbulbs_are_above_z_3_only_and_pinned():
    quiet = np.tile([1.0, 2.0], 50)
    importance, pinned = surprise(np.append(quiet, 2.5))
    assert not pinned.any()
    importance, pinned = surprise(np.append(quiet, 9.0))
    assert np.flatnonzero(pinned).tolist() == [100]
    assert importance[100] == 10.0


def test_a_flashbulb_has_a_z_above_3_exactly(monkeypatch):
    """The pinned three: z of 2.5 and of 3.0 are none, 4.0 is."""

    class AsTold(RunningMoments):
        def z(self, value):
            return value

    monkeypatch.setattr(module, "RunningMoments", AsTold)
    importance, pinned = surprise(np.array([0.0] * WARM_UP + [2.5, 3.0, 4.0]))
    assert pinned[WARM_UP:].tolist() == [False, False, True]
    told = importance_of_z(np.array([2.5, 3.0]))
    assert importance[WARM_UP:] == pytest.approx([*told, 10.0], abs=1e-6)
    assert told.max() < 9.2


def test_working_memory_holds_the_last_hundred_where_nothing_else_is_said():
    vectors = np.random.default_rng(3).normal(size=(220, 8)).astype(np.float32)
    vectors[150], vectors[219] = vectors[50], vectors[118]  # 100 before, and 101
    found = novelty_distances(vectors)
    assert found[150] == pytest.approx(0.0, abs=1e-5)
    assert found[219] > 0.1
    assert WORKING_MEMORY == 100
    names = tuple(map(str, range(220)))
    plain = Memories.plain(names, names, np.arange(220), np.zeros(220, np.int32), ("s",))
    assert with_surprise(plain, vectors).importance.tobytes() == surprise(found)[0].tobytes()


def test_the_first_twenty_are_worth_one():
    importance, pinned = surprise(np.append(np.tile([1.0, 2.0], 9), [1.0, 99.0, 99.0]))
    assert importance[:20].tolist() == [1.0] * 20
    assert not pinned[:20].any()
    assert importance[20] != 1.0


def test_surprise_looks_back_only():
    rng = np.random.default_rng(1)
    distances = rng.gamma(2.0, size=200)
    whole, _ = surprise(distances)
    assert np.array_equal(surprise(distances[:77])[0], whole[:77])


def test_importance_that_the_data_gives_stays():
    names = tuple(f"m{i}" for i in range(40))
    plain = Memories.plain(names, names, np.arange(40), np.zeros(40, np.int32), ("s",))
    plain.importance[5] = 7.0
    rng = np.random.default_rng(2)
    judged = with_surprise(plain, rng.normal(size=(40, 8)).astype(np.float32))
    assert judged.importance[5] == 7.0
    assert np.isfinite(judged.importance).all()
    assert np.isnan(plain.importance[6])
