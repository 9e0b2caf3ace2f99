"""Some edges of a history: the same facts, fewer edges."""

import numpy as np

from hebb_lab.halflife.facts.part import part_of
from hebb_lab.halflife.signals.fading import by_group
from tests.halflife.made import history, random_windows


def test_some_edges_alone_are_told_the_very_same():
    found = history(random_windows(3, count=120, spaces=(0, 1)))
    chosen = np.random.default_rng(1).random(found.edges) < 0.4
    some = part_of(found, chosen)
    assert (some.edges, some.recalls) == (chosen.sum(), found.recalls)
    assert (some.birth() == found.birth()[chosen]).all()
    assert (some.group == found.group[chosen]).all()
    own = chosen[found.edge_of]
    again = found.reactivations(5, 100)
    kept = again[own[again]]
    assert (some.event_recall[some.reactivations(5, 100)] == found.event_recall[kept]).all()
    lives = np.array([0.3, 40.0])
    whole, part = by_group(found, lives), by_group(some, lives)
    assert (part.weight == whole.weight[own]).all()
    assert (part.exposure(100) == whole.exposure(100)[chosen]).all()
