"""1 − 2^−x and ln x to the last places of float64."""

import numba
import numpy as np

from hebb_lab.kernels.cpu.traces.elementary import logarithm, lost


@numba.njit
def _logarithms(x, out):
    for i in range(len(x)):
        out[i] = logarithm(x[i])


@numba.njit
def _losses(x, out):
    for i in range(len(x)):
        out[i] = lost(x[i])


def of(function, x):
    out = np.empty_like(x)
    function(x, out)
    return out


def test_the_logarithm_is_right_to_the_last_place():
    rng = np.random.default_rng(0)
    x = [
        np.exp(rng.uniform(-700, 700, 9999)),
        rng.uniform(0.5, 2, 9999),
        1 + rng.normal(size=99) / 1e9,
    ]
    x = np.concatenate(x)
    np.testing.assert_allclose(of(_logarithms, x), np.log(x), rtol=4e-16)
    assert of(_logarithms, np.ones(1))[0] == 0.0


def test_what_is_lost_does_not_cancel_for_short_times():
    rng = np.random.default_rng(0)
    x = np.concatenate([10 ** rng.uniform(-300, 3.5, 9999), rng.uniform(0, 3, 9999)])
    np.testing.assert_allclose(of(_losses, x), -np.expm1(-np.log(2) * x), rtol=6e-16)
    assert of(_losses, np.array([0.0, 1.0, 2.0, np.inf])).tolist() == [0.0, 0.5, 0.75, 1.0]
