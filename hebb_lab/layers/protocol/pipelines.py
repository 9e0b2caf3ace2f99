"""The recall pipeline of each scope, as the settings want it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hebb_lab.errors import MissingExtraError
from hebb_lab.places import place
from hebb_lab.recall.embedders import chosen_embedder, made_embedder

if TYPE_CHECKING:
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.layers.protocol.bench import Answerer
    from hebb_lab.layers.protocol.scopes import Scope
    from hebb_lab.recall.cognitive.plan import Answers, Asked, Plan


def pipeline_maker(settings: Settings) -> Callable[[Scope], Answerer]:
    """Makes the pipeline of a scope; all share one embedder and its cache."""
    from hebb_lab.recall.cognitive.pipeline import Pipeline

    name = chosen_embedder(settings.recall.embedder)
    cache = place(settings.paths.cache)
    embedder = None if name is None else made_embedder(name, cache)

    def made(scope: Scope) -> Answerer:
        pipeline = Pipeline(scope.memories, embedder, cache)
        return pipeline if embedder is not None else WithoutVectors(pipeline)

    return made


class WithoutVectors:
    """A pipeline where no embedder is installed: arms that search by vectors lack an extra.

    Args:
        pipeline: answers all others.
    """

    def __init__(self, pipeline: Answerer) -> None:
        self.pipeline = pipeline

    def answer(self, asked: Asked, plans: Sequence[Plan], depth: int) -> list[Answers]:
        """What each plan gives.

        Raises:
            MissingExtraError: a plan that searches by vectors.
        """
        from hebb_lab.recall.cognitive.direct import WITHOUT_WORDS

        by_vectors = {*WITHOUT_WORDS, *WITHOUT_WORDS.values()}
        wanted = [plan.seeder for plan in plans if plan.seeder in by_vectors]
        if wanted:
            raise MissingExtraError(
                f"direct search {wanted[0]} needs vectors, and there is no embedder",
                "Install the extra embed (python -m hebb_lab.doctor says how), or use"
                " recall.embedder=hashing",
            )
        return self.pipeline.answer(asked, plans, depth)
