"""`python -m tests.benchmarks.layers_child RULES`: how long 1,000 queries take in each layer."""

import json
import sys
import time
from dataclasses import replace

from hebb_lab.graph.cognitive.nulls import learned_layer
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.cognitive.rules import PARTS
from tests.benchmarks.layers_world import QUERY_SEEDS, made_memories, made_queries

MEMORIES, QUERIES, ROUNDS = 10**5, 1000, 7
UNGATED = replace(DOCUMENTED, gate="none")
RULES = {
    "documented": DOCUMENTED,
    "ungated": UNGATED,
    "unforgetting": replace(UNGATED, hebbian_decay=1.0, mention_decay=1.0, hyperedge_decay=1.0),
    "observed": OBSERVED,
}


def main(name, memories=MEMORIES):
    """Print what each layer took, and what it found, as JSON."""
    world = made_memories(memories)
    seeds, cues = made_queries(world, QUERIES)
    made = {part: of_layer(part, world, RULES[name], seeds, cues) for part in PARTS}
    sys.stdout.write(json.dumps({"memories": memories, "layers": made}) + "\n")


def of_layer(part, world, rules, seeds, cues):
    """Seconds of learning and of each round, what was found and what is held."""
    began = time.perf_counter()
    layer = learned_layer(part, world, [rules])
    layer.advance(len(world))
    learned = time.perf_counter() - began
    if getattr(layer, "learns_from_recall", False):
        layer.observe_recall(seeds.memory.reshape(-1, QUERY_SEEDS))
    found = layer.expand(seeds, cues, [0])[0]  # compiles, and makes what a learned state keeps
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        layer.expand(seeds, cues, [0])
        rounds.append(time.perf_counter() - began)
    return {
        "learned": learned, "seconds": rounds, "found": len(found.memory),
        "edges": layer.edge_count(0),
    }  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
