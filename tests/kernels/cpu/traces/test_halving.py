"""Powers of two, as exact as float64 has them."""

import numpy as np

from hebb_lab.kernels.cpu.compile import kernel
from hebb_lab.kernels.cpu.traces.halving import MOST, halved, quotient


@kernel
def _halved(times, out):
    for i in range(len(times)):
        out[i] = halved(times[i])


@kernel
def _quotients(a, b, inverse, out):
    for i in range(len(a)):
        out[i] = quotient(a[i], b[i], inverse[i])


def left_after(times):
    out = np.empty(len(times))
    _halved(times, out)
    return out


def test_what_is_left_is_right_to_the_last_place():
    times = np.concatenate([np.random.default_rng(0).uniform(0, 60, 10_000), [0.5, 1e-12, 900.3]])
    np.testing.assert_allclose(left_after(times), 2.0**-times, rtol=2.3e-16)


def test_whole_half_lives_are_exact():
    times = np.arange(MOST)
    assert (left_after(times) == 2.0**-times).all()


def test_what_float64_cannot_hold_is_nothing():
    assert left_after(np.array([MOST, 1e6, 1e300, np.inf])).tolist() == [0.0] * 4


def test_a_quotient_by_the_inverse_is_that_of_a_division():
    random = np.random.default_rng(1)
    a, b = random.uniform(0, 1000, 10_000), random.uniform(0.1, 200, 10_000)
    a[:1000] = np.round(a[:1000]) * b[:1000]  # whole multiples: a threshold may lie there
    out = np.empty(len(a))
    _quotients(a, b, 1 / b, out)
    np.testing.assert_allclose(out, a / b, rtol=2.3e-16)
    assert (out[:1000] == a[:1000] / b[:1000]).mean() > 0.999
