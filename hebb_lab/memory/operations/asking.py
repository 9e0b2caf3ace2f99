"""Cues as they are asked: of texts, with the vectors that strategies need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.memory.limits import listed
from hebb_lab.memory.strategies import wants_vector
from hebb_lab.memory.strategies.asking import check_shapes, strategy_names
from hebb_lab.memory.values import Cues

if TYPE_CHECKING:
    from hebb_lab.memory.operations.remember import Embed


def asked_cues(
    cues: Cues | str | Sequence[str], strategies: str | Sequence[str], embed: Embed | None
) -> Cues:
    """Cues with vectors where a strategy wants them and an embedder is there.

    Args:
        cues: one text, some texts, or cues.
        strategies: that will be asked.
        embed: texts → unit vectors, or None.

    Raises:
        InputError: what `check_shapes` refuses.
    """
    if not isinstance(cues, Cues):
        texts = [cues] if isinstance(cues, str) else listed(cues, "cues", "Give texts or Cues")
        cues = Cues(tuple(texts))
    check_shapes(cues)
    if embed is None or not len(cues):
        return cues
    names = strategy_names(strategies)
    wanted = np.flatnonzero(wants_vector(cues, names)).tolist()
    texts = [cues.texts[place] for place in wanted]
    if not texts or not all(texts):  # an empty cue is refused by recall
        return cues
    made = embed(texts)
    vectors = np.zeros((len(cues), made.shape[1]), np.float32)
    vectors[wanted] = made
    return replace(cues, vectors=vectors)
