"""What accesses change."""

import numpy as np
import pytest

from hebb_lab.memory.ids import Ids
from hebb_lab.memory.strategies import reinforced
from hebb_lab.memory.values import EdgeKind
from tests.memory.strategies.small import (
    BARE,
    NOW_US,
    Link,
    Small,
    asked,
    cue,
    store,
    unit,
)  # fmt: skip

LINKING = BARE.change(co_recall="all_pairs")
LATER = NOW_US + 5


def made(*, links=(), ids=None, count=4):
    return store([Small(unit(1, step)) for step in range(count)], links, ids=ids)


def access(store_, rows, rules=BARE, groups=(), at_us=LATER):
    change = reinforced(store_[0], rules, np.array(rows), at_us, groups)
    store_[1].commit(change)
    store_[0].apply(change)
    return change


def confidences(state):
    edges = state.edges
    ends = zip(edges.source.tolist(), edges.target.tolist(), strict=True)
    return dict(zip(ends, edges.confidence.tolist(), strict=True))


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
def test_k_recalls_count_exactly_k(times):
    both = made()
    for step in range(times):
        access(
            both,
            asked(both, "similarity", cue(1, 0), k=2, at_us=LATER + step).rows,
            at_us=LATER + step,
        )
    assert both[0].column("access_count").tolist() == [times, times, 0, 0]
    assert both[0].column("accessed_us").tolist() == [LATER + times - 1] * 2 + [NOW_US] * 2


def test_many_accesses_at_once_are_as_one_after_the_other():
    together, singly = made(), made()
    access(together, [2, 2, -1, 1, 2])
    for row in (2, 2, 1, 2):
        access(singly, [row])
    for name in ("access_count", "accessed_us", "importance"):
        assert together[0].column(name) == pytest.approx(singly[0].column(name), abs=1e-6)


def test_importance_grows_by_a_share_of_what_is_missing_and_stays_below_1():
    both = made()
    access(both, [0])
    assert both[0].column("importance")[0] == pytest.approx(0.525)
    access(both, [0] * 5000)
    assert both[0].column("importance")[0] <= 1


def test_each_gain_has_its_switch():
    change = access(made(), [0], BARE.change(count_gain=False))
    assert set(change.updated[0].scalars) == {"accessed_us", "importance"}
    change = access(made(), [0], BARE.change(access_moves_clock=False))
    assert set(change.updated[0].scalars) == {"access_count", "importance"}
    change = access(made(), [0], BARE.change(importance_boost=0.0))
    assert set(change.updated[0].scalars) == {"access_count", "accessed_us"}


def test_without_any_gain_there_is_no_change():
    still = BARE.change(count_gain=False, access_moves_clock=False, importance_boost=0.0)
    assert reinforced(made()[0], still, np.array([0]), LATER) is None
    assert reinforced(made()[0], BARE, np.array([-1]), LATER) is None


def test_what_comes_together_is_linked_pair_by_pair_the_newer_to_the_older():
    both = made()
    change = access(both, [], LINKING, [np.array([0, 3, 2, -1])])
    assert confidences(both[0]) == pytest.approx({(3, 0): 0.1, (2, 0): 0.1, (3, 2): 0.1})
    assert set(change.edges.kind.tolist()) == {EdgeKind.RELATED_TO}
    assert change.edges.time_us.tolist() == [LATER] * 3


def test_only_the_first_of_a_group_are_linked():
    both = made()
    access(both, [], LINKING.change(co_recall_first=2), [np.array([3, 1, 0])])
    assert confidences(both[0]) == pytest.approx({(3, 1): 0.1})


def test_a_link_grows_by_a_share_of_what_is_missing_in_the_direction_that_it_has():
    links = [Link(0, 1, EdgeKind.RELATED_TO, 0.5), Link(2, 1, EdgeKind.CAUSED_BY, 0.5)]
    both = made(links=links)
    access(both, [], LINKING, [np.array([0, 1]), np.array([1, 2]), np.array([1, 0])])
    got = dict(zip(both[0].edges.kind.tolist(), both[0].edges.confidence.tolist(), strict=True))
    assert len(both[0].edges) == 3
    assert confidences(both[0])[0, 1] == pytest.approx(1 - 0.5 * 0.9**2)
    assert got[EdgeKind.CAUSED_BY] == 0.5


def test_off_links_nothing_and_an_outcome_links_what_it_names():
    pair = [np.array([0, 1])]
    assert access(made(), [0], BARE, pair).edges is None
    assert len(access(made(), [0], BARE.change(co_recall="outcome"), pair).edges.kind) == 1


def test_newer_is_told_by_the_id_and_not_by_the_row():
    both = made(ids=Ids(np.array([[1, 9], [1, 3], [1, 4], [1, 5]], np.uint64)))
    access(both, [], LINKING, [np.array([0, 1])])
    assert list(confidences(both[0])) == [(0, 1)]
