"""Some edges of a history, as a history of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch

from hebb_lab.graph.subgraph import subgraph
from hebb_lab.halflife.facts.shelf import Shelf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History


def part_of(history: History, chosen: NDArray[np.bool_]) -> History:
    """The chosen edges with all their events, without truth; all recalls stay.

    Args:
        history: the facts.
        chosen: [E].
    """
    events = chosen[history.edge_of]
    return replace(
        history,
        graph=subgraph(history.graph, torch.from_numpy(chosen)),
        event_recall=history.event_recall[events],
        edge_of=(np.cumsum(chosen) - 1)[history.edge_of[events]],
        group=history.group[chosen],
        truth=None,
        shelf=Shelf(history.shelf.budget),
    )
