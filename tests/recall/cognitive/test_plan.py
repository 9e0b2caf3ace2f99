import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.plan import Plan
from tests.recall.cognitive.asking import some_memories, some_questions


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"layers": ("chains",)}, "chains is no layer"),
        ({"layers": ("chain", "chain")}, "twice"),
        ({"scoring": "phase"}, "similarity or phases or memory"),
        ({"importance": "none"}, "given or surprise"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_what_can(settings, told):
    with pytest.raises(ConfigError, match=told):
        Plan(**settings)


def test_asked_counts_its_queries():
    rng = np.random.default_rng(0)
    assert len(some_questions(rng, some_memories(rng), 7)) == 7
