"""Rows whose probabilities are right, or wrong in a known way."""

import numpy as np


def rows(number=2000, seed=0, distinct=None):
    """Calibrated probabilities [R] and outcomes [R]; ``distinct`` values of p when given."""
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 4, number)
    if distinct:
        p = np.ceil(p * distinct) / (distinct + 1)
    return p, rng.random(number) < p
