"""How good probabilities of re-activation are, and what may be said of differences in loss."""

from hebb_lab.evaluation.calibration.bins import cells, count_bin, interval_bin, rmse_bins
from hebb_lab.evaluation.calibration.blocks import BlockInterval, moving_block_interval
from hebb_lab.evaluation.calibration.claim import Verdict, claim
from hebb_lab.evaluation.calibration.curve import (
    CalibrationCurve,
    calibration_curve,
    wilson_interval,
)
from hebb_lab.evaluation.calibration.macro import WEIGHTINGS, MacroComparison, macro_comparison
from hebb_lab.evaluation.calibration.metric import (
    CALIBRATION,
    CalibrationMetric,
    calibration_scores,
)
from hebb_lab.evaluation.calibration.probabilities import auc, brier, log_loss, log_losses
from hebb_lab.evaluation.calibration.recalibration import (
    Recalibration,
    calibration_intercept,
    calibration_slope,
    recalibration,
)
from hebb_lab.evaluation.calibration.smooth import (
    SmoothErrors,
    e50,
    e90,
    ici,
    smooth_curve,
    smooth_errors,
    smoothed,
)
from hebb_lab.evaluation.calibration.survival import Curve, kaplan_meier

__all__ = [
    "CALIBRATION",
    "WEIGHTINGS",
    "BlockInterval",
    "CalibrationCurve",
    "CalibrationMetric",
    "Curve",
    "MacroComparison",
    "Recalibration",
    "SmoothErrors",
    "Verdict",
    "auc",
    "brier",
    "calibration_curve",
    "calibration_intercept",
    "calibration_scores",
    "calibration_slope",
    "cells",
    "claim",
    "count_bin",
    "e50",
    "e90",
    "ici",
    "interval_bin",
    "kaplan_meier",
    "log_loss",
    "log_losses",
    "macro_comparison",
    "moving_block_interval",
    "recalibration",
    "rmse_bins",
    "smooth_curve",
    "smooth_errors",
    "smoothed",
    "wilson_interval",
]
