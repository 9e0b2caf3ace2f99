"""What counts as a result: judgements, measures, paired statistics, leaderboards."""

from hebb_lab.evaluation import measures  # fills the registry
from hebb_lab.evaluation.judge import assert_ranked, judge, rank_by_score, tie_at_cut
from hebb_lab.evaluation.spec import MEASURES, Measure, parse

__all__ = [
    "MEASURES",
    "Measure",
    "assert_ranked",
    "judge",
    "measures",
    "parse",
    "rank_by_score",
    "tie_at_cut",
]
