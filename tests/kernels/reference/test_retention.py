"""The plain formula against numbers worked out by hand."""

import pytest

from hebb_lab.kernels.reference.retention import decay_score


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        ((0.8, 0, 0, 30.0, 0.0, 100), 0.8),
        ((1.0, 30, 0, 30.0, 0.0, 100), 0.5),
        ((1.0, 60, 0, 30.0, 1.0, 100), 0.5),  # importance 1 doubles the half-life
        ((0.5, 45, 0, 30.0, 1.0, 100), 0.25),
        ((0.5, 0, 3, 30.0, 0.0, 15), 0.75),  # log2 4 of log2 16: half as much again
        ((0.5, 0, 3, 30.0, 0.0, 3), 1.0),
        ((0.5, 0, 3, 30.0, 0.0, 0), 0.5),
        ((0.0, 0, 3, 30.0, 0.0, 100), 0.0),
    ],
)
def test_worked_examples(arguments, want):
    assert decay_score(*arguments) == pytest.approx(want, rel=1e-15)
