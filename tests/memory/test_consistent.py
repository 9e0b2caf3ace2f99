"""What every journal asks of a change."""

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory.changes import SCALARS, Change, Edges, Rewritten, Tombstones, Updated
from hebb_lab.memory.consistent import OWN_FACTS, check_change, check_dimensions, highest_of
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.ids import Ids
from tests.memory.made import made_added, made_edges, made_tombstones

ADDED = made_added(3)
IDS = ADDED.ids
PAIR = IDS.to_bytes()[:2]


def without(name):
    scalars = {key: column for key, column in ADDED.scalars.items() if key != name}
    return ADDED._replace(scalars=scalars)


def with_scalar(name, column):
    return ADDED._replace(scalars={**ADDED.scalars, name: column})


WRONG = {
    "a vector of another length": Change(0, added=made_added(3, dimensions=5)),
    "vectors of another type": Change(
        0,
        added=ADDED._replace(
            texts=ADDED.texts._replace(vectors=ADDED.texts.vectors.astype(np.float64))
        ),
    ),
    "fewer contents": Change(0, added=ADDED._replace(texts=ADDED.texts._replace(contents=["a"]))),
    "a column that is missing": Change(0, added=without("stale")),
    "a column of another length": Change(0, added=with_scalar("clock", np.zeros(2, np.int32))),
    "an importance that is no number": Change(
        0, added=with_scalar("importance", np.array([0, np.nan, 1], np.float32))
    ),
    "an id twice": Change(0, added=ADDED._replace(ids=Ids(IDS.array[[0, 0, 1]]))),
    "a text for an id twice": Change(
        0, rewritten=Rewritten(Ids(IDS.array[[0, 0, 1]]), ADDED.texts)
    ),
    "an unknown column": Change(0, updated=(Updated(IDS, {"colour": np.zeros(3)}),)),
    "an edge without a time": Change(
        0, edges=made_edges([PAIR])._replace(time_us=np.zeros(0, np.int64))
    ),
    "a confidence that is infinite": Change(
        0, edges=made_edges([PAIR])._replace(confidence=np.array([np.inf], np.float32))
    ),
    "a short digest": Change(0, tombstones=made_tombstones(IDS)._replace(digest=[b""] * 3)),
    "a reason too few": Change(0, tombstones=made_tombstones(IDS)._replace(reason=["ids"])),
    "a fact that is no JSON": Change(0, facts={"name": object()}),
    "a fact that is NaN": Change(0, facts={"name": float("nan")}),
    **{f"the journal's own fact {name}": Change(0, facts={name: 1}) for name in OWN_FACTS},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_a_change_whose_parts_do_not_fit_is_refused(change):
    with pytest.raises(StoreError):
        check_change(change, 4)


def test_a_change_that_fits_is_not_refused():
    scalars = {"stale": np.ones(3, bool)}
    check_change(
        Change(
            0, added=ADDED, updated=(Updated(IDS, scalars),), edges=made_edges([PAIR]),
            forgotten=IDS, tombstones=made_tombstones(IDS), facts={"highest_id": "0" * 32},
        ),
        4,
    )  # fmt: skip
    assert len(SCALARS) == len(ADDED.scalars)
    check_change(Change(0, edges=Edges.none(), tombstones=Tombstones(Ids.none(), *[[]] * 4)), 4)


def test_the_highest_id_only_ever_grows():
    high = highest_of(None, Change(0, added=ADDED))
    assert high == max(IDS.to_bytes()).hex()
    assert highest_of(high, Change(0)) == high
    assert highest_of(high, Change(0, facts={"highest_id": "0" * 32})) == high
    assert highest_of(high, Change(0, facts={"highest_id": "f" * 32})) == "f" * 32
    shuffled = ADDED._replace(ids=Ids(IDS.array[::-1]))
    assert highest_of(None, Change(0, added=shuffled)) == high


@pytest.mark.parametrize("wrong", [0, -1, 65_537, 1.5, "4", True, None])
def test_a_length_of_vectors_is_a_whole_number_in_range(wrong):
    with pytest.raises(ConfigError, match="dimensions="):
        check_dimensions(wrong)
    assert check_dimensions(np.int32(65_536)) == 65_536
