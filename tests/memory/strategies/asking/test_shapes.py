"""Cues that are no cues are refused, so that an empty answer means that nothing was found."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.memory.strategies.asking import check_shapes, strategy_names
from hebb_lab.memory.values import Cues
from tests.memory.stores import DAY, EAST, made_store

ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
TWO = ("a", "b")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"kinds": (9,)}, "kinds"),
        ({"kinds": 1}, "kinds"),
        ({"kinds": ([],)}, "kinds"),
        ({"contexts": [{}, 5]}, "cue 1: its context"),
        ({"contexts": 5}, "contexts"),
        ({"entities": ""}, "entity_id is empty"),
        ({"entities": 5}, "entities"),
        ({"entities": ["x", ""]}, "cue 1: entity_id is empty"),
        ({"since_us": 5, "until_us": 3}, "nothing lies from 5 to before 3"),
        ({"since_us": 5, "until_us": 5}, "nothing lies"),
        ({"since_us": 1.5}, "float"),
        ({"until_us": "a"}, "str"),
        ({"since_us": 10**30}, "1970"),
        ({"until_us": True}, "True"),
        ({"seeds": [None, 5]}, "cue 1: its seed"),
        ({"texts": (), "seeds": ULID}, "seeds are no list but str"),
        ({"texts": (), "seeds": 5}, "seeds"),
        ({"pairs": [None, ("q",)]}, "cue 1: its pair"),
        ({"pairs": [(1, 2), None]}, "cue 0: its pair"),
        ({"pairs": 5}, "pairs"),
        ({"texts": "ab"}, "texts are no list but str"),
        ({"texts": 5}, "texts"),
        ({"texts": ["a", None]}, "cue 1: its text"),
        ({"vectors": "x"}, "no numbers"),
        ({"vectors": [[1], [1, 2]]}, "no numbers"),
        ({"vectors": EAST}, r"\[4\]"),
        ({"contexts": [{}]}, "1 contexts stand beside 2"),
    ],
)
def test_a_column_that_is_not_what_it_should_be_is_named(columns, said):
    cues = Cues(**{"texts": TWO, **columns})
    with pytest.raises(InputError, match=said):
        check_shapes(cues)
    with pytest.raises(InputError, match=said):
        made_store().recall(cues, DAY, strategies=("temporal", "causal", "analogical"))


@pytest.mark.parametrize("cues", [None, 5, [5], b"x", {"a": 1}])
def test_what_is_neither_text_nor_cues_is_refused(cues):
    with pytest.raises(InputError):
        made_store().recall(cues, DAY)


@pytest.mark.parametrize(
    "columns",
    [
        {"entities": "x", "kinds": [1, 2], "since_us": 0, "until_us": 1},
        {"entities": ["x", None], "contexts": [{}, {"a": 1}], "seeds": [ULID, None]},
        {"pairs": [None, (ULID, ULID)], "vectors": np.eye(2)},
        {"seeds": ["no id", None]},
    ],
)
def test_good_columns_are_taken(columns):
    check_shapes(Cues(TWO, **columns))


@pytest.mark.parametrize("strategies", [5, [5], [[]], [], None, ["temporal", "temporal"]])
def test_strategies_are_names_each_once(strategies):
    with pytest.raises(InputError, match="strateg"):
        strategy_names(strategies)
