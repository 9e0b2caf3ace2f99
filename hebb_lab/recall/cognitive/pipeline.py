"""Recall over one scope for many arms: what arms share is done once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.cpu.cognitive.lists import empty_lists
from hebb_lab.recall.cognitive.direct import Collection
from hebb_lab.recall.cognitive.learning import Shelf
from hebb_lab.recall.cognitive.merge import fuses_later, merge
from hebb_lab.recall.cognitive.plan import Answers, Asked, LayerUse, Plan
from hebb_lab.recall.cognitive.scoring.surprise import with_surprise
from hebb_lab.recall.cognitive.session import Group, Session, keys_of
from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.vectors import embed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hebb_lab.graph.cognitive.layer import CognitiveLayer
    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.recall.cognitive.learning import Grown, MakeLayer
    from hebb_lab.recall.embedders import Embedder
    from hebb_lab.records import Memories

KEPT_CELLS = 1 << 24  # queries × memories up to which scores and expansions outlive a call


class Pipeline:
    """Recall over the memories of one scope.

    Direct lists are searched once for all arms with the same direct search, each layer is learned
    once for all rule sets that it cannot tell apart, and expands once for all arms with the same
    seeds. The queries of the last call are kept, with what was found for them, where they are not
    too many: to ask the same ``Asked`` again with other plans costs what is new alone.

    Args:
        memories: of one scope, in the order of writing.
        embedder: gives vectors; None where no arm searches by them. Surprise takes the hashing
            embedder then.
        cache: folder that keeps vectors; None for no cache.
        make: (layer, memories, rule sets) → a layer that has learned nothing; the registered
            layers, with their null models, when left out.
    """

    def __init__(
        self, memories: Memories, embedder: Embedder | None = None, cache: Path | None = None,
        make: MakeLayer | None = None,
    ) -> None:  # fmt: skip
        self.memories = memories
        self.collection = Collection(memories.texts, memories.names, embedder, cache)
        self.shelf = Shelf(self.memories_with, make or _registered)
        self._kept: Session | None = None

    def answer(self, asked: Asked, plans: Sequence[Plan], depth: int) -> list[Answers]:
        """What each plan answers, [Q, depth] each.

        Args:
            asked: in time order, so that ``known`` ascends.
            plans: of the arms.
            depth: of the direct lists, and of the answers.

        Raises:
            ConfigError: an unknown direct search or profile; dense search without an embedder.
            ValueError: the queries are not in time order.
        """
        session = self._session(asked, depth)
        answers = self._answer(session, plans, session.is_small(KEPT_CELLS))
        self._kept = session if session.is_small(KEPT_CELLS) else None
        return answers

    def answer_traced(self, asked: Asked, plan: Plan, depth: int) -> tuple[Answers, Session]:
        """One plan's answers, and the session with what was found for them.

        The layers stand where the last query met them.
        """
        self._kept = None
        session = self._session(asked, depth)
        return self._answer(session, [plan], keep=True)[0], session

    def _answer(self, session: Session, plans: Sequence[Plan], keep: bool) -> list[Answers]:
        rows = [_Rows(plan, len(session.asked), session.depth) for plan in plans]
        session.prepare(plans)
        for group in session.groups:
            session.search(group, plans)
            session.expand(group, plans)
            for each in rows:
                each.take(self, session, group)
            if not keep:
                group.forget()
        return [each.answers() for each in rows]

    def memories_with(self, importance: str) -> Memories:
        """The memories, with surprise for importance where that is asked for and none is given."""
        return self._surprising if importance == "surprise" else self.memories

    def _session(self, asked: Asked, depth: int) -> Session:
        kept = self._kept
        if kept is not None and kept.asked is asked and kept.depth == depth:
            return kept
        return Session.of(asked, depth, self.collection, self.shelf, self.memories_with)

    @cached_property
    def _surprising(self) -> Memories:
        collection = self.collection
        if collection.embedder is None:
            vectors = embed(HashingEmbedder(), self.memories.texts, None)
        else:
            vectors = collection.vectors
        return with_surprise(self.memories, vectors)


def _registered(name: str, memories: Memories, rules: Sequence[CognitiveRules]) -> CognitiveLayer:
    """A registered layer; where a rule set names a null model for it, that one."""
    from hebb_lab.graph.cognitive.nulls import learned_layer

    return learned_layer(name, memories, rules)


class _Rows:
    """The answers of one arm, group by group."""

    def __init__(self, plan: Plan, queries: int, depth: int) -> None:
        self.plan = plan
        self.lists = empty_lists(queries, depth)
        self.expanded = np.zeros(queries, np.bool_)
        self.found = np.zeros((len(plan.layers), queries), np.int32)
        self.listed = np.zeros((len(plan.layers), queries), np.int32)
        self.grown: list[list[Grown]] = [[] for _ in plan.layers]

    def take(self, pipeline: Pipeline, session: Session, group: Group) -> None:
        """Merge for the queries of one group."""
        keys = keys_of(self.plan)
        found = group.found[keys.direct]
        grown = [group.grown[key] for key in keys.layers]
        expanded = session.expanded(group, self.plan)
        words = session.words(group, keys.direct) if fuses_later(self.plan) else None
        merged = merge(
            self.plan, found, [each.expansion for each in grown], expanded, words,
            pipeline.collection.name_rank, session.depth,
        )  # fmt: skip
        rows = group.rows
        self.lists.memory[rows], self.lists.score[rows] = merged.lists
        self.expanded[rows] = expanded
        self.found[:, rows], self.listed[:, rows] = merged.found, merged.listed
        for kept, each in zip(self.grown, grown, strict=True):
            kept.append(each)

    def answers(self) -> Answers:
        """All of them, and what each layer did."""
        uses = tuple(
            LayerUse(
                layer, self.found[i], self.listed[i], sum(each.seconds for each in self.grown[i]),
                self.grown[i][-1].bytes if self.grown[i] else 0,
                self.grown[i][-1].edges if self.grown[i] else 0,
                why_nothing(self.grown[i]),
                self.grown[i][-1].learning_seconds if self.grown[i] else 0.0,
            )
            for i, layer in enumerate(self.plan.layers)
        )  # fmt: skip
        return Answers(self.lists.memory, self.lists.score, self.expanded, uses)


def why_nothing(grown: Sequence[Grown]) -> str:
    """Why a layer did nothing: its error, or ``empty`` where it holds nothing; else no word."""
    failures = [each.failure for each in grown if each.failure]
    if failures:
        return failures[0]
    offered = any(len(each.expansion.memory) for each in grown)
    return "" if offered or (grown and grown[-1].edges) else "empty"
