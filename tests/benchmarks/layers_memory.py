"""`python -m tests.benchmarks.layers_memory [MEMORIES …]`: memory of the layers beside the page's.

For each number of memories (100,000 and 1,000,000 unless given) it prints two tables: the state of
each part beside the page's figure, and what the process really holds for each layer. The exit
status is 1 where a layer holds more beside its state than `BESIDE` says.

Nothing is forgotten in that world, so that the figures are upper ones: no weight fades. Memories
are wired to the one before in their session, which gives the page's mean degree of about 2.
"""

import gc
import sys
import tracemalloc
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hebb_lab.graph.cognitive.nulls import learned_layer
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.graph.cognitive.rules import PARTS
from tests.benchmarks.layers_world import made_memories, made_queries

SIZES = (10**5, 10**6)
CYCLES = 100  # in the whole world; the page's are of 100 memories, which only takes longer here
QUERIES = 1000
TOTAL = {10**5: (20.0, 23.0), 10**6: (187.0, 217.0)}  # MB, as the page adds up
PAGE = {
    "Hebbian edges (L1)": {10**5: (2.8, 2.8), 10**6: (28.0, 28.0)},
    "tag co-activation": {10**5: (1.0, 1.0), 10**6: (1.0, 1.0)},
    "cross-capture index (L4)": {10**5: (2.0, 5.0), 10**6: (20.0, 50.0)},
    "entity directory": {10**5: (7.2, 7.2), 10**6: (72.0, 72.0)},
    "hyperedges (L3)": {10**5: (5.0, 5.0), 10**6: (50.0, 50.0)},
    "temporal chain (L2)": {10**5: (1.6, 1.6), 10**6: (16.0, 16.0)},
}
"""MB, least and most: "Memory Hebbian" (Spector Memory), Memory Budget."""
COMPANION = "directory beside the hyperedges"
BESIDE = {
    "hebbian": 130.0, "stdp": 5.0, "chain": 1.0, "entities": 125.0, "hyperedges": 125.0,
    "cross_capture": 1.0,
}  # fmt: skip
"""Bytes a memory that a layer may hold beside its state, after one recall.

hebbian: orders and places of the memories by which it goes on to learn (40), its rows' pointers of
64 bits, decay and importance of each memory, and weights scaled for recall. entities, hyperedges:
the names with their index (about 130 bytes a name, and a name for every other memory), and mentions
by dense ids. The page counts neither. stdp: the memory before in the session.
"""
SLACK = 200_000  # bytes of objects that do not grow with the memories


class Held(NamedTuple):
    """What the process holds for one layer, in bytes."""

    state: int  # what the layer says of itself
    learned: int  # after learning
    recalled: int  # after one recall by 1,000 queries
    peak: int  # the most while it learned

    def is_within(self, layer, memories):
        """Whether it holds no more beside its state than is stated."""
        return self.recalled <= self.state + BESIDE[layer] * memories + SLACK


def rules_that_keep(memories):
    """The page's rules, but nothing fades, and one neighbour each way."""
    return replace(
        DOCUMENTED, co_ingestion="previous_in_session", hebbian_decay=1.0, mention_decay=1.0,
        hyperedge_decay=1.0, gate="none", cycle_memories=max(memories // CYCLES, 1),
    )  # fmt: skip


def measured(memories):
    """(bytes of each part, bytes by the page's layout, what is held) of so many memories."""
    world = made_memories(memories)
    seeds, cues = made_queries(world, QUERIES)
    rules, parts, laid_out, held = rules_that_keep(memories), {}, {}, {}
    for name in PARTS:
        gc.collect()
        tracemalloc.start()
        layer = learned_layer(name, world, [rules])
        layer.advance(memories)
        gc.collect()
        learned, peak = tracemalloc.get_traced_memory()
        layer.expand(seeds, cues, [0])
        gc.collect()
        recalled, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        held[name] = Held(layer.byte_count(0), learned, recalled, peak)
        own, page = PARTS_OF[name](layer, memories)
        for part, size in own.items():
            parts[part] = parts.get(part, 0) + size
        laid_out.update(page)
    return parts, laid_out, held


def _hebbian(layer, memories):
    name = "Hebbian edges (L1)"
    page = 4 * memories + 12 * layer.edge_count(0)
    return {name: layer.byte_count(0)}, {name: page}


def _stdp(layer, memories):
    return {"tag co-activation": layer.byte_count(0)}, {}


def _chain(layer, memories):
    name = "temporal chain (L2)"
    return {name: layer.byte_count(0)}, {name: 16 * memories}


def _entities(layer, memories):
    name, directory = "entity directory", layer.directory(0)
    page = 64 * len(directory) + 8 * len(directory.links)
    return {name: layer.byte_count(0)}, {name: page}


def _hyperedges(layer, memories):
    name, atoms = "hyperedges (L3)", layer.graph(0).atoms
    page = 32 * len(atoms) + 8 * len(atoms.entity) + 4 * int(np.count_nonzero(atoms.takes_part))
    own = {name: atoms.byte_count(), COMPANION: layer.directory(0).byte_count()}
    return own, {name: page}


def _cross_capture(layer, memories):
    name = "cross-capture index (L4)"
    entries = int(layer._postings.length.sum())
    own = layer._postings.byte_count()
    return {"tag co-activation": layer.byte_count(0) - own, name: own}, {name: 12 * entries}


PARTS_OF = {
    "hebbian": _hebbian, "stdp": _stdp, "chain": _chain, "entities": _entities,
    "hyperedges": _hyperedges, "cross_capture": _cross_capture,
}  # fmt: skip


def table_of_parts(memories, parts, laid_out):
    """The first table: each part and the sum beside the page's figures."""
    lines = [
        f"{memories:,} memories, MB",
        f"  {'part':<32} {'here':>8} {'page':>12}  {'this graph as the page lays it out':>34}",
    ]
    for name in (*PAGE, COMPANION):
        page = PAGE.get(name, {}).get(memories)
        lines.append(_line(name, parts[name], page, laid_out.get(name)))
    budget, total = TOTAL.get(memories), sum(parts.values())
    lines.append(_line("all", total, budget, None))
    if budget:
        lines.append(
            f"  budget: at most {budget[1]:g} MB, {'met' if total <= budget[1] * 1e6 else 'MISSED'}"
            f"; its lower figure of {budget[0]:g} MB, "
            f"{'met' if total <= budget[0] * 1e6 else 'missed'}"
        )
    return "\n".join(lines)


def _line(name, size, page, laid_out):
    least, most = page or (None, None)
    budget = "" if page is None else f"{least:g}" if least == most else f"{least:g} to {most:g}"
    as_page = "" if laid_out is None else f"{laid_out / 1e6:.2f}"
    return f"  {name:<32} {size / 1e6:>8.2f} {budget:>12}  {as_page:>34}".rstrip()


def table_of_held(memories, held):
    """The second table: what the process holds for each layer, and whether that is as stated."""
    lines = [
        f"{memories:,} memories: what the process holds by tracemalloc, MB",
        f"  {'layer':<14} {'state':>8} {'learned':>8} {'after recall':>13} {'peak':>8} "
        f"{'beside, bytes a memory':>23} {'stated':>7}",
    ]
    for name, each in held.items():
        beside = (each.recalled - each.state) / memories
        verdict = "ok" if each.is_within(name, memories) else "ABOVE"
        lines.append(
            f"  {name:<14} {each.state / 1e6:>8.2f} {each.learned / 1e6:>8.2f} "
            f"{each.recalled / 1e6:>13.2f} {each.peak / 1e6:>8.2f} {beside:>23.1f} "
            f"{BESIDE[name]:>7g} {verdict}"
        )
    state, recalled = (sum(getattr(e, f) for e in held.values()) for f in ("state", "recalled"))
    lines.append(f"  {'all':<14} {state / 1e6:>8.2f} {'':>8} {recalled / 1e6:>13.2f}")
    return "\n".join(lines)


def warm_up():
    """Compile what is compiled on first use, so that it is not counted."""
    measured(2_000)


def main(arguments):
    """Print both tables for each size."""
    warm_up()
    is_within = True
    for memories in [int(each) for each in arguments] or SIZES:
        parts, laid_out, held = measured(memories)
        sys.stdout.write(table_of_parts(memories, parts, laid_out) + "\n\n")
        sys.stdout.write(table_of_held(memories, held) + "\n\n")
        sys.stdout.flush()
        is_within &= all(each.is_within(name, memories) for name, each in held.items())
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
