"""The pipeline of a scope; without an embedder, what it cannot do is a missing extra."""

import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.experiment.settings import Settings
from hebb_lab.layers.protocol.pipelines import WithoutVectors, pipeline_maker
from hebb_lab.recall.cognitive.plan import Plan
from tests.experiment.tiny import composed
from tests.layers.made import DEPTH, ByNeighbour, asked, memories, scope


def settings(embedder):
    return Settings.from_mapping(
        composed("+exp=layers", "dataset=corpus", f"recall.embedder={embedder}")
    )


@pytest.mark.parametrize("seeder", ["dense", "hybrid", "hybrid_rrf"])
def test_searching_by_vectors_lacks_an_extra_where_there_is_no_embedder(seeder):
    pipeline = WithoutVectors(ByNeighbour(memories(["a", "b"])))
    with pytest.raises(MissingExtraError, match=f"{seeder} needs vectors"):
        pipeline.answer(asked(["0"], 2), [Plan(), Plan(seeder)], DEPTH)
    assert len(pipeline.answer(asked(["0"], 2), [Plan()], DEPTH)) == 1


@pytest.mark.parametrize(("embedder", "seeder"), [("null", "bm25"), ("hashing", "hybrid")])
def test_the_pipeline_of_a_scope_answers_its_questions(embedder, seeder, tmp_path):
    one = scope("memory", 3, ["memory1", "memory2"], [0, 1])
    (found,) = pipeline_maker(settings(embedder))(one).answer(one.asked, [Plan(seeder)], DEPTH)
    assert found.memory[:, 0].tolist() == [1, 2]
