"""Recall by similarity: the memories whose vectors are nearest to the cue."""

from __future__ import annotations

import numpy as np

from hebb_lab.memory.strategies.asking import without_vector
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found
from hebb_lab.memory.strategies.view import View
from hebb_lab.memory.values import Cues


@STRATEGIES.register("similarity")
def similarity(view: View, cues: Cues, k: int) -> Found:
    """The k nearest memories in scope; relevance max(0, cosine). HEBBS page, "Lifecycle" 2."""
    if cues.vectors is None:
        return without_vector(cues, k, "similarity")
    rows, cosine = view.nearest(cues.vectors, np.arange(len(cues)), k, view.wanted)
    return Found(rows, np.clip(cosine, 0, 1))
