"""Decay scores on the processor: columns as they come, and any number of threads."""

import numba
import numpy as np

from hebb_lab.kernels.cpu.traces.retention import PIECE, decay_scores
from tests.kernels.retained import NOW_US, retention, some_memories

RULES = retention((30, 1, 100, False), (7, 0, 0, True))
MANY = some_memories(np.random.default_rng(2), 3 * PIECE + 5)


def test_one_thread_computes_the_very_bits_that_two_do():
    two = decay_scores(MANY, RULES, NOW_US)
    numba.set_num_threads(1)
    try:
        np.testing.assert_array_equal(decay_scores(MANY, RULES, NOW_US), two)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)


def test_a_piece_alone_has_the_scores_that_it_has_among_others():
    whole = decay_scores(MANY, RULES, NOW_US)
    part = decay_scores(type(MANY)(*(column[7:90] for column in MANY)), RULES, NOW_US)
    np.testing.assert_array_equal(part, whole[7:90])


def test_columns_in_steps_and_of_other_widths_are_read_as_they_are():
    wide = type(MANY)(
        MANY.importance.astype(np.float64)[::2], *(column[::2] for column in MANY[1:])
    )
    np.testing.assert_array_equal(
        decay_scores(wide, RULES, NOW_US), decay_scores(MANY, RULES, NOW_US)[::2]
    )
