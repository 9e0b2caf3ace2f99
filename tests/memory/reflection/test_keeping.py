import math

import numpy as np
import pytest

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.reflection import insight_importance
from hebb_lab.memory.reflection.keeping import shared_entity
from tests.memory.reflection.made import World, around


def importance(values, confidence, **switches):
    array = np.array(values, np.float32)
    return insight_importance(array, confidence, DOCUMENTED.change(**switches))


def test_the_pinned_importances_of_insights():
    assert importance([0.5], 0.8) == pytest.approx(0.59)
    assert importance([1.0], 1.0) == pytest.approx(1.0)
    assert importance([0.0], 0.0) == 0


def test_the_gain_of_sources_adds_the_pinned_logarithm():
    assert importance([0.5], 0.8, insight_source_gain=True) == pytest.approx(
        0.59 + math.log(2) / 10
    )
    few, many = (importance([0.5] * n, 0.8, insight_source_gain=True) for n in (3, 20))
    assert many > few
    assert importance([1.0] * 20, 1.0, insight_source_gain=True) == 1.0


def test_the_weight_shares_between_sources_and_confidence():
    assert importance([0.2, 0.4], 1.0, insight_weight=1.0) == pytest.approx(0.3)
    assert importance([0.2, 0.4], 0.9, insight_weight=0.0) == pytest.approx(0.9)


def test_an_entity_is_shared_only_by_all():
    world = World()
    world.add(around(2, 2), entities=["ada", "ada", "bob", None])
    assert shared_entity(world.state, np.array([0, 1])) == "ada"
    assert shared_entity(world.state, np.array([1, 2])) is None
    assert shared_entity(world.state, np.array([3])) is None
