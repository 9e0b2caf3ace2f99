"""The published rule sets of the memory model, and what their deviations come to.

Not modelled: tenants and their limits; rate limits; the text of errors on the wire; custom weights
over gRPC, which come with a recency of 0 days and a cap of 0 accesses unless both are set; the
duplicates that version 0.3.4 drops by content, its kinds Document and Proposition and its
contradictions; batches of a sweep; a clock of the engine's own; tombstones that hold an unsalted
SHA-256 of the content; two memories of an entity in one microsecond, of which temporal recall
loses one; an old state that takes the living memory out of temporal recall when it is forgotten;
insights and revised memories that causal recall does not find before a restart. Offsets that
outlive their edges: the code keeps what an edge taught after it is gone, and teaches nothing anew
when a vector is revised; here they follow the edges and vectors of the moment, for nothing of a
forgotten memory may be left. Durability off is ``durability=normal``: this store never
acknowledges what the operating system does not have.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hebb_lab.graph.switches import row
from hebb_lab.memory.rules import MemoryRules

DOCUMENTED = MemoryRules()
OBSERVED = replace(
    DOCUMENTED,
    index="hnsw", hnsw_search=100, scope_filter="after", unscoped_shared=False,
    temporal_needs_entity=True, causal="offset", causal_distance="linear", causal_recency=0.0,
    edge_confidence=False, offset_order="first", offset_untaught="similar", analogy="context",
    analogy_kind_entity="constant", analogy_empty=0.5, decay_in_rank="none", importance_boost=0.0,
    durability="normal", dangling_edges="keep", clock_back="keep", revise="in_place",
    revisions_kept=100, half_life_gain=0.0, unflag=False, fresh_look=False, auto_forget_most=1000,
    forget_most=1000, forget_insights="keep", reflect_superseded=True, reflect_cursor="always",
    insight_stale=False, insights_sorted="after", push_keywords=True, push_centroid=0.15,
    push_scope="after",
)  # fmt: skip
"""What the code does; each difference to DOCUMENTED is one switch."""


def deviations() -> dict[str, dict[str, Any]]:
    """The deviations as arms: name → what of DOCUMENTED each sets as the code has it.

    Switches of one number that differ in their value are turned one by one, those that only make
    sense together at once.
    """
    together = {
        "index": ("hnsw_search",),
        "causal": ("offset_order", "offset_untaught"),
        "causal_distance": ("causal_recency",),
        "analogy": ("analogy_kind_entity", "analogy_empty"),
        "fresh_look": ("auto_forget_most",),
        "push_keywords": ("push_centroid",),
    }
    bound = {name for others in together.values() for name in others}
    return {
        part.name: {
            name: getattr(OBSERVED, name) for name in (part.name, *together.get(part.name, ()))
        }
        for part in fields(MemoryRules)
        if part.name not in bound and getattr(OBSERVED, part.name) != getattr(DOCUMENTED, part.name)
    }


def switch_table() -> str:
    """The switches as a Markdown table, for the docs: page, code, meaning."""
    return "\n".join([
        "| switch | page | code | meaning |",
        "|---|---|---|---|",
        *(row(part, getattr(DOCUMENTED, part.name), getattr(OBSERVED, part.name))
          for part in fields(MemoryRules)),
    ])  # fmt: skip
