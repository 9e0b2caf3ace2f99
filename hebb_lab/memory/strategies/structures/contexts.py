"""Structure by context: which keys two contexts have, of which JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.memory.strategies.lists import Flat, Numbers
from hebb_lab.memory.values import Kind

if TYPE_CHECKING:
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.strategies.view import View

KEYS, TYPES, KIND, ENTITY = 0.4, 0.3, 0.2, 0.1  # shares; hebbs.md §2.5
_UNKNOWN = 0.5
_JSON: dict[type, str] = {
    type(None): "null", bool: "boolean", int: "number", float: "number", str: "string",
    list: "array", tuple: "array", dict: "object",
}  # fmt: skip

Context = Mapping[str, Any]


class Side(NamedTuple):
    """One of two that are compared. kind: of the memory, or None for a cue that does not say."""

    context: Context
    kind: str | None
    entity: str | None


def context_structure(cue: Side, memory: Side, rules: MemoryRules) -> float:
    """0.4 × Jaccard of keys + 0.3 × share of shared keys of one JSON type + 0.2 kind + 0.1 entity.

    Two empty contexts: analogy_empty. analogy_kind_entity=constant: kind counts 1 and entity 0.5
    for all, and one empty context is 0. compared: kind is 1 or 0, or 0.5 where the cue's context
    has no "kind"; entity is 1 where it is the same, 0.5 where neither has one, else 0.

    >>> from hebb_lab.memory.published import DOCUMENTED, OBSERVED
    >>> side = Side({"step": 1, "who": "x"}, None, None)
    >>> round(context_structure(side, side, OBSERVED), 3)
    0.95
    >>> round(context_structure(side, side._replace(kind="episode"), DOCUMENTED), 3)
    0.85
    """
    if not cue.context and not memory.context:
        return rules.analogy_empty
    constant = rules.analogy_kind_entity == "constant"
    if constant and not (cue.context and memory.context):
        return 0.0
    shared = cue.context.keys() & memory.context.keys()
    keys = len(shared) / len(cue.context.keys() | memory.context.keys())
    alike = sum(_json(cue.context[key]) == _json(memory.context[key]) for key in shared)
    types = alike / len(shared) if shared else 0.0
    kind = 1.0 if constant else _kind(cue.kind, memory.kind)
    entity = _UNKNOWN if constant else _entity(cue.entity, memory.entity)
    return KEYS * keys + TYPES * types + KIND * kind + ENTITY * entity


def _json(value: Any) -> str:
    return _JSON.get(type(value), "object")


def _kind(cue: str | None, memory: str | None) -> float:
    return _UNKNOWN if cue is None else float(cue == memory)


def _entity(cue: str | None, memory: str | None) -> float:
    return _UNKNOWN if cue is None and memory is None else float(cue == memory)


def by_context(view: View, found: Flat) -> Numbers:
    """[n] structure of each memory that was found against its question's context."""
    state, cues = view.state, view.cues
    rows, at = np.unique(found.row, return_inverse=True)
    names = state.entities
    contexts = view.journal.contexts(state.ids_of(rows))
    kinds = [Kind(kind).name.lower() for kind in state.column("kind")[rows].tolist()]
    entities = [names[number] if number >= 0 else None for number in state.entity[rows].tolist()]
    memories = [Side(*each) for each in zip(contexts, kinds, entities, strict=True)]
    asked = []
    for place in range(len(cues)):
        context = cues.contexts[place] if cues.contexts else {}
        kind = str(context["kind"]).lower() if "kind" in context else None
        asked.append(Side(context, kind, cues.entity(place)))
    pairs = zip(found.question.tolist(), at.reshape(-1).tolist(), strict=True)
    return np.array(
        [context_structure(asked[question], memories[row], view.rules) for question, row in pairs],
        np.float32,
    )
