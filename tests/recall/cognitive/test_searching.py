import numpy as np

from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.cognitive.plan import Plan
from hebb_lab.recall.cognitive.scoring.habituation import Habituation
from hebb_lab.recall.cognitive.searching import DirectKey, Recalled, spans_of_one_time


def test_arms_share_direct_lists_unless_something_of_direct_search_differs():
    plan = Plan("hybrid", ("chain",))
    key = DirectKey.of(plan)
    for alike in (
        Plan("hybrid"),
        Plan("hybrid", rules=CognitiveRules(merge="sum", arousal_slows_decay=False)),
        Plan("hybrid", profile="CRITICAL", importance="surprise"),  # for phases alone
    ):
        assert DirectKey.of(alike) == key
    for other in (
        Plan("bm25"),
        Plan("hybrid", scoring="phases"),
        Plan("hybrid", scoring="phases", profile="CRITICAL"),
        Plan("hybrid", scoring="phases", importance="surprise"),
        Plan("hybrid", scoring="phases", rules=CognitiveRules(arousal_slows_decay=False)),
        Plan("hybrid", habituation=True),
    ):
        assert DirectKey.of(other) != key
    assert len({DirectKey.of(Plan("hybrid", scoring=s)) for s in ("similarity", "phases")}) == 2


def test_where_words_join_later_direct_search_goes_without():
    after = CognitiveRules(text_fusion="after")
    assert DirectKey.of(Plan("hybrid", rules=after)) == DirectKey.of(Plan("dense"))
    assert DirectKey.of(Plan("bm25", rules=after)) == DirectKey.of(Plan("bm25"))


def test_what_was_recalled_counts_when_time_has_passed_it():
    recalled = Recalled(Habituation.of(3))
    recalled.waiting.append((10, np.array([[2, -1], [2, 0]], np.int32)))
    assert recalled.until(10).recalls.tolist() == [0, 0, 0]
    assert recalled.until(11).recalls.tolist() == [1, 0, 2]
    assert recalled.until(12).recalls.tolist() == [1, 0, 2]


def test_times_are_cut_where_they_change():
    assert list(spans_of_one_time(np.array([], np.int64))) == []
    assert list(spans_of_one_time(np.array([1, 1, 2, 5, 5]))) == [(0, 2), (2, 3), (3, 5)]
