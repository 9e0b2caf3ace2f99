"""Recall by similarity."""

import numpy as np
import pytest

from hebb_lab.memory.strategies.similarity import similarity
from tests.memory.strategies.small import BARE, Small, asked, cue, found, store, unit, view_of


def test_relevance_is_the_cosine_and_0_where_it_is_negative():
    made = store([Small(unit(*v)) for v in ((1, 0), (1, 1), (0, 1), (-1, 0))])
    got = similarity(view_of(*made), cue(1, 0), 4)
    assert got.rows.tolist() == [[0, 1, 2, 3]]
    assert got.relevance.tolist() == [[1.0, pytest.approx(0.70710677), 0.0, 0.0]]


def test_a_scope_that_is_filtered_after_the_search_starves():
    others = [Small(unit(1, step / 100), entity="b") for step in range(8)]
    made = store([*others, Small(unit(0, 1), entity="a"), Small(unit(1, 0.02), entity="a")])
    cues = cue(1, 0, entities="a")
    before = asked(made, "similarity", cues, k=2)
    after = asked(made, "similarity", cues, k=2, rules=BARE.change(scope_filter="after"))
    narrow = BARE.change(scope_filter="after", scope_oversampling=1)
    assert (found(before), found(after)) == ([9, 8], [9])
    assert found(asked(made, "similarity", cues, k=2, rules=narrow)) == []


def test_no_relevance_is_above_1():
    vector = [float(x) for x in np.full(3, np.float32(0.57735032))]
    got = asked(store([Small(vector)]), "similarity", cue(1, 1, 1))
    assert got.relevance[0, 0] == 1.0
