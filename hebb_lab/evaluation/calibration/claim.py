"""What may be said of learned half-lives, from their intervals against two rivals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Finding = Literal["helps", "helps, not by fading", "beats the heuristic only", "not shown", "harms"]
Side = Literal["below", "above", "around", "unknown"]

WORTH_A_WORD = 1e-6
"""Nats: what lies nearer to 0 is rounding, not a difference."""

_LEAD: dict[Finding, str] = {
    "helps": "Learned half-lives help",
    "helps, not by fading": "It helps, but not by half-lives, which this log cannot tell",
    "beats the heuristic only": "Learned half-lives beat the heuristic only",
    "not shown": "It is not shown that learned half-lives help",
    "harms": "Learned half-lives harm",
}
_CLAUSE: dict[Side, str] = {
    "below": "predict better than {}",
    "above": "predict worse than {}",
    "around": "are not shown to predict better than {}",
    "unknown": "could not be compared with {} (no interval)",
}


@dataclass(frozen=True)
class Verdict:
    """A finding and the sentence that says it.

    Args:
        finding: for a table.
        sentence: in plain words, for a report.
    """

    finding: Finding
    sentence: str

    def __str__(self) -> str:
        return self.finding


def claim(against_heuristic: ArrayLike, against_rate: ArrayLike, *, fades: bool = True) -> Verdict:
    """The rule of claims: learned half-lives help only if they beat both rivals.

    An interval is of the loss of the learned model minus that of the rival: below 0 is better. A
    rate for each edge, without any decay, beats many a decay model; so whoever beats the heuristic
    alone may have learned rates, not decay (fitting.md, finding 5 and §4).

    Args:
        against_heuristic: [2] 99 % interval against the published heuristic; NaN for none.
        against_rate: [2] 99 % interval against the empirical-Bayes rate; NaN for none.
        fades: whether the log shows that weights fade at all, which is that the interval of a
            half-life is closed above: what helps without it helps by something else.

    Returns:
        "harms" when either interval lies above 0; "helps" when both lie below ("helps, not by
        fading" where the log does not show that anything fades); "beats the heuristic only" when
        that one does; else "not shown". An interval that ends at 0 holds it.

    Raises:
        InputError: when an interval is not two numbers in rising order.

    >>> verdict = claim([-0.02, -0.01], [-0.003, 0.001])
    >>> print(verdict)
    beats the heuristic only
    >>> print(verdict.sentence.partition(": ")[2])
    they predict better than the heuristic and are not shown to predict better than the rate.
    """
    heuristic, rate = _side(against_heuristic), _side(against_rate)
    finding: Finding = "not shown"
    if "above" in (heuristic, rate):
        finding = "harms"
    elif heuristic == "below":
        finding = "helps" if rate == "below" else "beats the heuristic only"
    if finding == "helps" and not fades:
        finding = "helps, not by fading"
    clauses = f"{_CLAUSE[heuristic].format('the heuristic')} and {_CLAUSE[rate].format('the rate')}"
    return Verdict(finding, f"{_LEAD[finding]}: they {clauses}.")


def _side(interval: ArrayLike) -> Side:
    """Where an interval lies, seen from 0."""
    ends = np.asarray(interval, dtype=np.float64)
    if ends.shape != (2,) or ends[0] > ends[1]:
        raise InputError(f"{ends.tolist()} is not an interval", "Give its lower and its upper end")
    if np.isnan(ends).any():
        return "unknown"
    if ends[1] < -WORTH_A_WORD:
        return "below"
    return "above" if ends[0] > WORTH_A_WORD else "around"
