"""The published rule sets of the cognitive graph, and what their deviations come to.

Not modelled: the source of contradictions and corrections; promotion from layer to layer;
tombstones and flags of what is contradicted; the edge capacity of twice the nodes; the softmax
temperature; tiers; the Bloom mask of tags; the associative mode; importance by interest, novelty,
challenge and urgency, signals that no data here gives; the presets of slow and fast forgetting.
Entities that are merged add up the weights of their links; the code sets them anew.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.graph.switches import row

DOCUMENTED = CognitiveRules()
OBSERVED = replace(
    DOCUMENTED,
    co_ingestion="previous", eviction_signals="structural", eviction_at="insertion",
    bridge_score="trees", decay_modulator="unclamped", walk="dfs", weight_scale="raw",
    hebbian_score="similarity_plus", tag_counts_from="recall",
    temporal_score="similarity_plus_fifth", temporal_links="across", retention_days=7.0,
    query_entities="top_result", merge_min_length=0, entity_attenuation="once",
    entity_score="similarity_plus", entity_degree_cap=16, hyperedge_min=2,
    hyperedge_eviction="weakest", hyperedge_prune_below=0.5, traversal="union", gate="direct_match",
    gate_threshold=0.4, seed_count=3, seed_order="written", text_fusion="after",
    arousal_slows_decay=False, incidence="rebuilt", trace="metadata", file_format="container",
    layer_numbers="sections",
)  # fmt: skip
"""What the code does; each difference to DOCUMENTED is one switch."""


def deviations() -> dict[str, dict[str, Any]]:
    """The published deviations as arms: name → what of DOCUMENTED each sets as the code has it.

    Switches of one number that differ in their value are turned one by one, those that only make
    sense together (gate and threshold, count and order of seeds) at once.
    """
    together = {"gate": ("gate_threshold",), "seed_count": ("seed_order",)}
    bound = {name for others in together.values() for name in others}
    return {
        part.name: {
            name: getattr(OBSERVED, name) for name in (part.name, *together.get(part.name, ()))
        }
        for part in fields(CognitiveRules)
        if part.name not in bound and getattr(OBSERVED, part.name) != getattr(DOCUMENTED, part.name)
    }


def switch_table() -> str:
    """The switches as a Markdown table, for the docs: page and code, number of the deviation."""
    rows = [
        "| switch | page | code | deviation | meaning |",
        "|---|---|---|---|---|",
    ]
    for part in fields(CognitiveRules):
        page, code = (getattr(rules, part.name) for rules in (DOCUMENTED, OBSERVED))
        number = part.metadata["deviation"]
        rows.append(row(part, page, code, "" if number is None else str(number)))
    return "\n".join(rows)
