"""The registry of the metrics, and all of them at once."""

import subprocess
import sys

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation.calibration import CALIBRATION, calibration_scores
from tests.evaluation.calibration.made import rows


def test_every_metric_says_what_it_means_and_which_values_are_better():
    assert list(CALIBRATION) == [
        "log_loss", "brier", "auc", "rmse_bins", "slope", "intercept", "ici", "e50", "e90",
    ]  # fmt: skip
    for name in CALIBRATION:
        metric = CALIBRATION[name]
        assert metric.meaning
        assert "\n" not in metric.meaning
        assert metric.better in ("lower", "higher", "nearer 1", "nearer 0")


def test_every_metric_prefers_right_probabilities_to_wrong_ones():
    p, y = rows(20_000)
    cell = np.arange(len(p)) % 7
    right = calibration_scores(p, y, cell)
    wrong = calibration_scores(1 - p**2, y, cell)
    assert list(right) == list(CALIBRATION)
    for name, metric in ((name, CALIBRATION[name]) for name in CALIBRATION):
        distance = {
            "lower": lambda value: value,
            "higher": lambda value: -value,
            "nearer 1": lambda value: abs(value - 1),
            "nearer 0": abs,
        }[metric.better]
        assert distance(right[name]) < distance(wrong[name]), name


def test_without_cells_all_but_the_metric_of_cells_are_computed():
    p, y = rows(100)
    assert set(calibration_scores(p, y)) == set(CALIBRATION) - {"rmse_bins"}
    with pytest.raises(ConfigError, match=r"RMSE\(bins\) needs the cell"):
        calibration_scores(p, y, names=["rmse_bins"])


def test_an_unknown_metric_lists_the_near_ones():
    with pytest.raises(ConfigError, match="Did you mean 'log_loss'"):
        calibration_scores([0.5], [True], names=["logloss"])


@pytest.mark.parametrize(
    ("p", "y"),
    [([], []), ([0.5], [True]), ([0.3] * 9, [True] * 4 + [False] * 5), ([0.1, 0.9], [False] * 2)],
    ids=["no rows", "one row", "constant", "one kind"],
)
def test_rows_that_determine_little_give_nan_and_never_an_error(p, y):
    scores = calibration_scores(p, y, [0] * len(p))
    assert all(isinstance(value, float) for value in scores.values())
    assert all(map(np.isnan, scores.values())) == (not p)


def test_importing_the_metrics_loads_nothing_heavy():
    heavy = "{'sklearn', 'statsmodels', 'pandas', 'scipy.stats'}"
    code = f"import sys, hebb_lab.evaluation.calibration; print({heavy} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
