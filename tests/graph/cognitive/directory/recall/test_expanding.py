from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.graph.cognitive.directory.recall import expanding
from hebb_lab.graph.cognitive.directory.recall.expanding import RECALLED, Expanding
from hebb_lab.graph.cognitive.entities import EntityLayer
from hebb_lab.graph.cognitive.hyperedges import HyperedgeLayer
from hebb_lab.graph.cognitive.published import DOCUMENTED
from tests.graph.cognitive.directory.made_worlds import asked, random_memories

OPEN = replace(DOCUMENTED, gate="none")
LAYERS = pytest.mark.parametrize("layer", [EntityLayer, HyperedgeLayer])


@LAYERS
def test_rule_sets_that_differ_in_nothing_that_is_read_are_expanded_once(layer, monkeypatch):
    rng = np.random.default_rng(0)
    memories = random_memories(rng)
    built = layer(memories, (OPEN, OPEN.change(walk="dfs"), OPEN.change(entity_hops=1)))
    built.advance(30)
    seeds, cues = asked(memories, rng, 30)
    calls = []
    collect = expanding.collect
    monkeypatch.setattr(
        expanding, "collect", lambda *args, **more: calls.append(1) or collect(*args, **more)
    )
    one, like, other = built.expand(seeds, cues, [0, 1, 2])
    assert len(calls) == 2
    assert like is one
    assert other is not one


@LAYERS
def test_time_goes_forward(layer):
    built = layer(random_memories(np.random.default_rng(0)), (OPEN,))
    built.advance(9)
    with pytest.raises(ValueError, match="known up to 9, cannot go back to 8"):
        built.advance(8)


@LAYERS
def test_a_layer_reads_all_that_recall_looks_at(layer):
    assert issubclass(layer, Expanding)
    assert set(RECALLED) < set(layer.reads)
