"""What a file holds, in figures that a person reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hebb_lab.graph.files.chain import ChainFile
from hebb_lab.graph.files.coactivation import CoActivationFile
from hebb_lab.graph.files.encoding.hashes import java_string_hash, tag_hash
from hebb_lab.graph.files.entities import EntityDirectoryFile
from hebb_lab.graph.files.hebbian import HebbianFile
from hebb_lab.graph.files.hyperedges import HyperedgeFile

if TYPE_CHECKING:
    from hebb_lab.graph.files.detect import GraphFile


def described(value: GraphFile) -> dict[str, str]:
    """What is said of a file: figure by name, in the order in which to say them."""
    if isinstance(value, HebbianFile):
        return _figures(
            nodes=len(value), edges=len(value.neighbor), room=value.edge_capacity,
            cycle=value.cycle, weights=_range(value.weight),
        )  # fmt: skip
    if isinstance(value, ChainFile):
        return _figures(
            nodes=len(value), used=value.count, links=int((value.next >= 0).sum()),
            sessions=len(set(value.session[value.session >= 0].tolist())),
        )  # fmt: skip
    if isinstance(value, HyperedgeFile):
        return _figures(
            hyperedges=value.live, deleted=len(value) - value.live, vertices=len(value.entity),
            weights=_range(value.weight[value.vertex_count > 0]),
        )  # fmt: skip
    if isinstance(value, CoActivationFile):
        pairs = zip(value.tag_names, value.tag_hash.tolist(), strict=True)
        return _figures(
            pairs=len(value.pair_a), edges=len(value.source), weights=_range(value.weight),
            tags=len(value.tag_names), bandits=len(value.bandits),
            other_hash=sum(tag_hash(name) != number for name, number in pairs),
        )  # fmt: skip
    if isinstance(value, EntityDirectoryFile):
        hashes = value.name_hash[value.names.ids].tolist()
        fitting = zip(value.names.names, hashes, strict=True)
        return _figures(
            entities=len(value), merged=int((value.merged_into >= 0).sum()),
            links=len(value.memory), weights=_range(value.weight), names=len(value.names),
            other_hash=sum(java_string_hash(n.strip().lower()) != h for n, h in fitting),
        )  # fmt: skip
    return _figures(names=len(value), first=", ".join(value.names[:5]) or "none")


def _figures(**figures: Any) -> dict[str, str]:
    return {
        name.replace("_", " "): f"{value:,}" if isinstance(value, int) else str(value)
        for name, value in figures.items()
    }


def _range(weights: Any) -> str:
    return f"{weights.min():.4g} to {weights.max():.4g}" if len(weights) else "none"
