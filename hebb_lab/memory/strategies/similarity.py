"""Recall by similarity: the memories whose vectors are nearest to the cue."""

from __future__ import annotations

import numpy as np

from hebb_lab.memory.strategies.asking import with_vector
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.values import Cues


@STRATEGIES.register("similarity")
def similarity(view: View, cues: Cues, k: int) -> Found:
    """The k nearest memories in scope; relevance max(0, cosine). HEBBS page, "Lifecycle" 2."""
    vectors, places, failures = with_vector(cues, view.state.dimensions, "similarity")
    rows = np.full((len(cues), k), -1, np.int64)
    relevance = np.zeros((len(cues), k), np.float32)
    rows[places], cosine = view.nearest(vectors[places], places, k, view.wanted)
    relevance[places] = np.clip(cosine, 0, 1)
    return Found(rows, relevance, failures)
