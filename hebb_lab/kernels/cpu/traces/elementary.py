"""1 − 2^−x and ln x, written so that the compiler makes several at once of a loop over traces."""

from __future__ import annotations

import numpy as np

from hebb_lab.kernels.cpu.compile import step
from hebb_lab.kernels.cpu.intrinsics import bits_of_float64, float64_of_bits
from hebb_lab.kernels.cpu.traces.halving import (
    MOST,
    ONE,
    ROUND,
    parts_of_power,
)

LN2 = float(np.log(2.0))
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # their sum is ln 2
L1, L2, L3, L4, L5, L6, L7 = (
    0.6666666666666735130, 0.3999999999940941908, 0.2857142874366239149, 0.2222219843214978396,
    0.1818357216161805012, 0.1531383769920937332, 0.1479819860511658591,
)  # fmt: skip
FRACTION = (1 << 52) - 1  # the bits of a float64 without its exponent
ROUND_BITS = int(np.float64(ROUND).view(np.int64))
HALF_ROOT_BITS = int(np.float64(np.sqrt(0.5)).view(np.int64))


@step
def logarithm(x: float) -> float:
    """Natural logarithm of a normal number above 0, to one unit in the last place.

    x = 2^n · m, m in [√½, √2): n ln 2 + 2 artanh((m − 1)/(m + 1)), whose series is that of fdlibm.
    """
    n = bits_of_float64(x) - HALF_ROOT_BITS + ONE >> 52  # biased, so above 0
    f = float64_of_bits(bits_of_float64(x) - (n << 52) + ONE) - 1.0
    s = f / (2.0 + f)
    z = s * s
    r = L6 + z * L7
    r = L5 + z * r
    r = L4 + z * r
    r = L3 + z * r
    r = L2 + z * r
    r = L1 + z * r
    square = 0.5 * f * f
    whole = float64_of_bits(ROUND_BITS + n) - ROUND - 1023.0
    return whole * LN2_HIGH - ((square - (s * (square + z * r) + whole * LN2_LOW)) - f)


@step
def lost(times: float) -> float:
    """1 − 2^−times for times from 0 up; small ones do not cancel (see ``halved``)."""
    rest, whole = parts_of_power(min(times, MOST))
    return (1.0 - whole) - whole * rest
