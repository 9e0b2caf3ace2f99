"""The recall pipeline of each scope, as the settings want it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hebb_lab.places import place
from hebb_lab.recall.embedders import EMBEDDERS, chosen_embedder

if TYPE_CHECKING:
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.layers.protocol.bench import Answerer
    from hebb_lab.layers.protocol.scopes import Scope


def pipeline_maker(settings: Settings) -> Callable[[Scope], Answerer]:
    """Makes the pipeline of a scope; all share one embedder and its cache."""
    from hebb_lab.recall.cognitive.pipeline import Pipeline

    name = chosen_embedder(settings.recall.embedder)
    embedder = None if name is None else EMBEDDERS[name]()
    cache = place(settings.paths.cache)
    return lambda scope: Pipeline(scope.memories, embedder=embedder, cache=cache)
