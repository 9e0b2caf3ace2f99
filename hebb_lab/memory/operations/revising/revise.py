"""revise: a memory's next state, as a new memory or in its place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.memory.changes import Change, Journal, Texts
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import Problem, checked_time, json_of, listed, raised_for_batch
from hebb_lab.memory.operations.arriving.arrivals import Arrivals, Problems, checked_arrivals
from hebb_lab.memory.operations.arriving.links import Linked, linked, refuse_circles
from hebb_lab.memory.operations.reading import rows_there
from hebb_lab.memory.operations.revising.pruning import pruned
from hebb_lab.memory.operations.revising.rewriting import Rewriting, as_new_memories, in_their_place
from hebb_lab.memory.values import Batch, EdgeKind, Kind, Link

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hebb_lab.memory.operations.remember import Embed
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.state import State


class Keep:
    """What ``KEEP`` is: the entity stays as it is, where None would take it away."""

    def __repr__(self) -> str:
        return "KEEP"


KEEP: Final = Keep()


@dataclass(frozen=True)
class Revision:
    """What changes of one memory; None and KEEP leave a field as it is.

    Args:
        id: of the memory, not a superseded one.
        content: the new text; its vector comes from ``vector`` or the store's embedder.
        importance: in [0, 1].
        context: laid over the old one or in its place, by revise_context.
        entity_id: the new scope; None for none.
        links: edges that are added to those that it has.
        vector: [d] of the new content.
    """

    id: str
    content: str | None = None
    importance: float | None = None
    context: Mapping[str, Any] | None = None
    entity_id: str | Keep | None = KEEP
    links: Sequence[Link] = ()
    vector: NDArray[np.float32] | None = None

    def is_empty(self) -> bool:
        """Whether it gives nothing at all."""
        fields = (self.content, self.importance, self.context, self.vector)
        return all(value is None for value in fields) and self.entity_id is KEEP and not self.links


def revised(
    state: State, journal: Journal, rules: MemoryRules, revisions: Sequence[Revision], at_us: int,
    rng: np.random.Generator, embed: Embed | None = None,
) -> tuple[Change | None, Ids]:  # fmt: skip
    """The next states of some memories, as one change: all of them or none.

    revise=new: the revision is a new memory of kind Revision, written at ``at_us``, with a
    RevisedFrom edge to the old one, which is superseded and otherwise as it was. Its last access
    and its count are the old one's, so what was often recalled stays so; so are its InsightFrom
    edges (it says what the same sources say). Other edges stay with the old state: a walk comes
    to them over RevisedFrom.

    revise=in_place: the memory keeps id, created, last access and count; its old state gets a new
    id, superseded, under a RevisedFrom edge (confidence 1).

    Both: decay score = importance, clock + 1, updated = now, no flag and not stale; insights from
    the old state become stale (insight_stale); states beyond revisions_kept are forgotten.

    Args:
        state: of the store.
        journal: where old texts are.
        rules: of the store.
        revisions: one for each memory.
        at_us: of the call.
        rng: chance of ids and salts.
        embed: gives vectors of new contents.

    Returns:
        The change, None where there are no revisions, and the ids of the memories now.

    Raises:
        MemoryNotFoundError: an id that is not there.
        InputError: a revision that gives nothing, a superseded memory, one that comes twice, a new
            content without a vector where the old one had one, what `limits` refuses.
    """
    at_us = checked_time(at_us, state.clock_us, rules.clock_back)
    revisions = _checked(revisions)
    if not revisions:
        return None, Ids.none()
    ids = Ids.parse([revision.id for revision in revisions])
    rows = rows_there(state, ids)
    in_place = rules.revise == "in_place"
    before = _before(state, journal, rows)
    batch = _next(state, rules, revisions, rows, before)
    arrivals, found = checked_arrivals(batch, state.dimensions, at_us, None)
    found |= _refused(state, revisions, rows)
    edges = linked(state, batch.links, found, rules.dangling_edges)
    if in_place:
        _refuse_own(edges, rows, found)
    nodes = rows if in_place else state.count + np.arange(len(rows))
    refuse_circles(state, edges, nodes, found)
    vectors = _vectors(revisions, arrivals, before, embed, found)
    if found:
        raise raised_for_batch(found, len(revisions))
    after = Texts(arrivals.contents, arrivals.contexts, arrivals.entities, vectors)
    work = Rewriting(ids, rows, before, after, arrivals.importance, edges, at_us)
    make = in_their_place if in_place else as_new_memories
    change, now = make(state, rules, work, rng)
    return pruned(state, journal, rules, change, rows, rng), now


def _checked(revisions: Any) -> list[Revision]:
    every = listed(revisions, "revisions", "Give a list of Revisions")
    for place, one in enumerate(every):
        if not isinstance(one, Revision):
            raise InputError(f"revision {place} is no Revision", "Give Revision(id, …)")
        listed(one.links, f"links of revision {place}", "Give a list of Links")
    return every


def _before(state: State, journal: Journal, rows: NDArray[np.int64]) -> Texts:
    """What memories say now."""
    ids = state.ids_of(rows)
    names = [None if number < 0 else state.entities[number] for number in state.entity[rows]]
    contexts = [json_of(context) for context in journal.contexts(ids)]
    return Texts(journal.contents(ids), contexts, names, state.vectors.take(rows))


def _next(
    state: State, rules: MemoryRules, revisions: Sequence[Revision], rows: NDArray[np.int64],
    before: Texts,
) -> Batch:  # fmt: skip
    """The next states as what could be remembered; vectors only where they are given."""
    contents, contexts, entities, importance = [], [], [], []
    old_importance = state.column("importance")[rows].tolist()
    for place, revision in enumerate(revisions):
        contents.append(before.contents[place] if revision.content is None else revision.content)
        contexts.append(_context(revision.context, before.contexts[place], rules.revise_context))
        entities.append(
            before.entities[place] if isinstance(revision.entity_id, Keep) else revision.entity_id
        )
        importance.append(
            old_importance[place] if revision.importance is None else revision.importance
        )
    links = {place: tuple(revision.links) for place, revision in enumerate(revisions)}
    if rules.revise == "new":
        for place, own in _inherited(state, rows).items():
            links[place] = (*own, *links[place])
    columns: dict[str, Any] = {
        "vectors": [revision.vector for revision in revisions], "importance": importance,
    }  # fmt: skip
    return Batch(
        contents, contexts=contexts, entities=entities, kinds=Kind.REVISION, links=links, **columns
    )


def _context(given: Any, before: str, how: str) -> Any:
    if given is None:
        return json.loads(before)
    if how == "replace" or not isinstance(given, Mapping):
        return given
    return {**json.loads(before), **given}


def _inherited(state: State, rows: NDArray[np.int64]) -> dict[int, list[Link]]:
    """Place → the RevisedFrom edge to the old state, and the InsightFrom edges that it has."""
    links = {
        place: [Link(EdgeKind.REVISED_FROM, name)] for place, name in enumerate(state.ids_of(rows))
    }
    edges = state.edges
    drawn = np.flatnonzero(edges.kind == EdgeKind.INSIGHT_FROM)
    drawn = drawn[np.isin(edges.source[drawn], rows) & (edges.target[drawn] >= 0)]
    places = {row: place for place, row in enumerate(rows.tolist())}
    targets = zip(edges.source[drawn].tolist(), state.ids_of(edges.target[drawn]),
                  edges.confidence[drawn].tolist(), strict=True)  # fmt: skip
    for row, target, confidence in targets:
        links[places[row]].append(Link(EdgeKind.INSIGHT_FROM, target, confidence))
    return links


def _refused(state: State, revisions: Sequence[Revision], rows: NDArray[np.int64]) -> Problems:
    found: Problems = {}
    superseded = state.column("superseded")[rows].tolist()
    seen: set[int] = set()
    for place, (revision, row) in enumerate(zip(revisions, rows.tolist(), strict=True)):
        if revision.is_empty():
            found[place] = Problem("the revision gives nothing", "Give at least one field")
        elif superseded[place]:
            found[place] = Problem(
                "the memory is superseded", "Revise its newest state; lineage(id) names it"
            )
        elif row in seen:
            found[place] = Problem("the memory comes twice", "Revise it once a call")
        seen.add(row)
    return found


def _refuse_own(edges: Linked, rows: NDArray[np.int64], found: Problems) -> None:
    """revise=in_place: an edge to the memory's own id leads to itself."""
    for place in edges.owner[edges.rows == rows[edges.owner]].tolist():
        found.setdefault(
            place, Problem("an edge leads from the memory to itself", "Give another target")
        )


def _vectors(
    revisions: Sequence[Revision], arrivals: Arrivals, before: Texts, embed: Embed | None,
    found: Problems,
) -> NDArray[np.float32]:  # fmt: skip
    """Vectors of the next states: given, kept where the content is, else of the embedder."""
    vectors = arrivals.vectors.copy()
    new = []
    for place, revision in enumerate(revisions):
        if revision.vector is not None:
            continue
        if arrivals.contents[place] == before.contents[place]:
            vectors[place] = before.vectors[place]
        elif embed is not None:
            new.append(place)
        elif before.vectors[place].any():
            found.setdefault(
                place,
                Problem("the content changes and nothing gives its vector",
                        "Give its vector, or open the store with an embedder"),
            )  # fmt: skip
    if new and embed is not None and not found:
        vectors[new] = embed([arrivals.contents[place] for place in new])
    return vectors
