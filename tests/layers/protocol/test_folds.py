"""Rules are chosen on other scopes, or on other clusters where there is one scope."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.layers.protocol.folds import folds_of


def drawn(groups, count=5, seed=0):
    zero = np.zeros(len(groups), np.int64)
    return folds_of(("all",), zero, groups, count, np.random.default_rng(seed))


def test_each_scope_is_a_fold():
    found = folds_of(("a", "b"), np.array([1, 0]), ("x", "y"), 5, np.random.default_rng(0))
    assert (found.names, found.fold.tolist()) == (("a", "b"), [1, 0])


def test_a_cluster_of_questions_is_never_split():
    groups = tuple(f"g{i % 7}" for i in range(50))
    found = drawn(groups, 3)
    assert len(found.names) == 3
    parts = [{f for f, g in zip(found.fold.tolist(), groups, strict=True) if g == name}
             for name in set(groups)]  # fmt: skip
    assert {len(part) for part in parts} == {1}
    assert set(found.fold.tolist()) == {0, 1, 2}


def test_there_are_at_most_as_many_folds_as_clusters():
    assert len(drawn(("a", "b"), 5).names) == 2


def test_one_cluster_in_one_scope_has_nothing_to_choose_on():
    with pytest.raises(InputError, match="rules are chosen on other scopes or clusters"):
        drawn(("a", "a"))


def test_the_dealing_depends_on_the_seed_alone():
    groups = tuple(f"g{i}" for i in range(20))
    assert drawn(groups).fold.tolist() == drawn(groups).fold.tolist()
    assert drawn(groups).fold.tolist() != drawn(groups, seed=1).fold.tolist()
