"""Runs of recalls: every run is the sum over what it is made of."""

import numpy as np
import pytest

from hebb_lab.halflife.facts.sums import Runs, tails_of


@pytest.mark.parametrize("half_life", [0.1, 5.0, np.inf])
def test_a_run_sums_over_its_recalls_relative_to_its_first(half_life):
    reading = np.cumsum(np.random.default_rng(0).exponential(1.0, 37))
    for power, sums in enumerate(Runs.of(reading, half_life).sums):
        assert len(sums) == 37 - 2**power + 1
        for first in range(len(sums)):
            own = reading[first : first + 2**power]
            expected = np.exp2((own[0] - own) / half_life).sum()
            assert sums[first] == pytest.approx(expected, rel=1e-13)


def test_a_log_of_one_recall_has_nothing_between():
    runs = Runs.of(np.array([2.0]), 1.0)
    assert runs.between(np.array([0]), np.array([0])).tolist() == [0.0]
    assert tails_of(np.array([2.0]), 1.0).tolist() == [0.0]
