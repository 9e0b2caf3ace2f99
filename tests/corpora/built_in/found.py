"""Which gold each layer finds from the memory that a question's own words lead to."""

import numpy as np

from hebb_lab.graph.cognitive.layer import Cues, Seeds
from hebb_lab.graph.cognitive.nulls import learned_layer
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.records import Lists


def found(dataset, layer, seeds, questions, rules=None):
    """[Q] sets of names that a layer finds for some questions, each from seeds of score 1."""
    memories, asked = dataset.memories, dataset.questions
    place = {name: at for at, name in enumerate(memories.names)}
    entity = {name.lower(): at for at, name in enumerate(memories.entity_names)}
    rows = Lists.of([[place[name] for name in names] for names in seeds])
    named = [[entity[name.lower()] for name in asked.cues[q].entities] for q in questions]
    made = learned_layer(layer, memories, [rules or CognitiveRules()])
    made.advance(len(memories))
    expansion = made.expand(
        Seeds(rows.ptr, rows.ids, np.ones(len(rows.ids), np.float32)),
        Cues(Lists.of([[] for _ in questions]), Lists.of(named)), [0],
    )[0]  # fmt: skip
    cuts = np.split(expansion.memory, expansion.ptr[1:-1])
    return [{memories.names[m] for m in cut.tolist()} for cut in cuts]
