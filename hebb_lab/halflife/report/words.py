"""Half-lives and claims in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.evaluation.calibration import claim
from hebb_lab.halflife.facts.clock import UNITS
from hebb_lab.halflife.objectives.profile import HIGHEST, LOWEST, is_identified
from hebb_lab.halflife.protocol.plain import number
from hebb_lab.halflife.protocol.settings import RATE
from hebb_lab.halflife.report.scores import PARTIAL, at
from hebb_lab.plots.half_lives.axes import in_days
from hebb_lab.plots.half_lives.axes import number as spelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hebb_lab.halflife.report.scores import Scores
    from hebb_lab.halflife.report.stored import Stored


class HalfLife(NamedTuple):
    """What a run says of the half-life of a group under one model.

    value: NaN where there is none, inf without decay. low, high: of the interval, open ends as 0
    and inf; NaN for none. events: re-activations behind it. verdict: why not to trust it.
    source: ``fitted``, ``given`` (a published value), ``pairs`` (median over pairs, middle 90 %) or
    ``exponent`` (of a power law, which has no half-life; the group is ``all``).
    unit: of a model with a clock of its own, else empty.
    """

    model: str
    group: str
    value: float
    low: float
    high: float
    events: int
    verdict: str
    source: str
    unit: str = ""

    def words(self, unit: str) -> str:
        """The half-life with its interval, or what the log cannot tell; in the run's unit."""
        if self.source == "exponent":
            high = "open" if math.isinf(self.high) else spelled(self.high)
            ends = "" if math.isnan(self.low) else f" [{spelled(self.low)}, {high}]"
            return f"exponent {spelled(self.value)}{ends}"
        unit = self.unit or unit
        if not self.told:
            return self.verdict or "none"
        if math.isinf(self.value):
            return "no decay"
        shown = f"{spelled(self.value)} {unit.removesuffix('s') if self.value == 1 else unit}"
        if self.source == "given":
            return f"{shown} (given, not fitted)"
        if math.isnan(self.low) or math.isnan(self.high):
            return shown
        ends = f"[{spelled(self.low) if self.low > 0 else '0'}, {spelled(self.high)}]"
        return f"{shown} {ends}" if self.source == "fitted" else f"{shown}, pairs {ends}"

    @property
    def told(self) -> bool:
        """Whether the log can tell it."""
        return is_identified(self.verdict) and not math.isnan(self.value)

    @property
    def counted(self) -> bool:
        """Whether it was fitted, so that re-activations stand behind it."""
        return self.source in ("fitted", "exponent") or (self.source == "pairs" and self.events > 0)

    def sentence(self, unit: str) -> str:
        """With the group and how many re-activations stand behind it."""
        behind = f", from {self.events:,} re-activations" if self.counted else ""
        said = self.verdict and self.verdict not in self.words(unit)
        return f"{self.group}: {self.words(unit)}{behind}" + (f" ({self.verdict})" if said else "")


def half_lives_of(stored: Stored, model: str) -> list[HalfLife]:
    """The half-lives of all groups under a model, or its exponent; none where it has neither."""
    entry = stored.models[model]
    if entry["status"] != "ok" or not entry["final"]:
        return []
    parameters, groups = entry["final"]["parameters"], stored.result["groups"]
    found = []
    for group, counts in groups.items():
        own = [
            (unit, parameters[name]) for name, unit in _names(group).items() if name in parameters
        ]
        if own:
            found.append(_fitted(model, group, *own[0]))
        elif group in entry["half_lives"]:
            seen = entry["half_lives"][group]
            pairs = _of_pairs(model, group, seen, counts["reactivations"], entry["kind"])
            alone = parameters.get(f"half_life_alone[{group}]")
            found.append(pairs if alone is None else _as_told(pairs, alone))
    if not found and "exponent" in parameters:
        fitted = _fitted(model, "all", "", parameters["exponent"])
        found.append(fitted._replace(source="exponent"))
    return found


def ends_of(values: Mapping[str, Any]) -> tuple[float, float]:
    """Stored ends of an interval: where only the upper is null it is open."""
    low, high = number(values["low"]), number(values["high"])
    return low, math.inf if math.isnan(high) and not math.isnan(low) else high


def _names(group: str) -> dict[str, str]:
    """Parameters that are the half-life of a group → the unit of a clock of the model's own."""
    others = {f"half_life_{clock}[{group}]": unit for clock, unit in UNITS.items()}
    return {f"half_life[{group}]": "", **others}


def _fitted(model: str, group: str, unit: str, estimate: Mapping[str, Any]) -> HalfLife:
    low, high = ends_of(estimate)
    value, events = number(estimate["value"]), int(estimate["events"])
    verdict = estimate["verdict"].removeprefix(f"in {unit}").removeprefix("; ")
    return HalfLife(model, group, value, low, high, events, verdict, "fitted", unit)


def _of_pairs(model: str, group: str, seen: Mapping[str, Any], events: int, kind: str) -> HalfLife:
    """From the half-lives in force at the end of the log."""
    value = math.inf if seen["no_decay"] else number(seen["median"])
    low, high = ends_of(seen)
    source = "given" if seen["constant"] and kind == "published" else "pairs"
    if seen["constant"] and source == "pairs":
        source, low, high = "fitted", math.nan, math.nan
    behind = events if source == "fitted" or kind == "learned" else 0
    return HalfLife(model, group, value, low, high, behind, "", source)


def _as_told(pairs: HalfLife, alone: Mapping[str, Any]) -> HalfLife:
    """Half-lives of pairs, with a word where not even one for the whole group can be told."""
    verdict = alone["verdict"]
    if alone["value"] is None:
        return pairs._replace(value=math.nan, verdict=verdict)
    if is_identified(verdict):
        verdict = ""
        for end, name in ((LOWEST, "lower"), (HIGHEST, "upper")):
            if math.isclose(pairs.value, end, rel_tol=0.01):
                verdict = f"not identifiable: on the {name} end of what is fitted"
    return pairs._replace(verdict=verdict)


def truth_words(stored: Stored, told: HalfLife) -> str:
    """What a world was drawn from, beside what was found; empty where nobody knows.

    The median over the edges of the group, with the middle 90 % where they differ.
    """
    truth = stored.result.get("truth")
    if not truth or told.unit:
        return ""
    if told.source == "exponent":
        return "" if truth["exponent"] is None else f"exponent {spelled(truth['exponent'])}"
    group = truth["groups"].get(told.group)
    if group is None:
        return ""
    low, median, high = (
        math.inf if group[key] is None else float(group[key]) for key in ("low", "median", "high")
    )
    if math.isinf(median):
        return "no decay"
    return spelled(median) + (f" ({spelled(low)} to {spelled(high)})" if low < high else "")


class Claim(NamedTuple):
    """What may be said of a learned model.

    finding: by the loss that the claim rests on; by_partial, by_log_loss: by either loss, for a
    table; sentence: in plain words.
    """

    model: str
    finding: str
    sentence: str
    by_partial: str
    by_log_loss: str


def claims_of(stored: Stored, scores: Scores) -> list[Claim]:
    """The claim of each learned model that was scored.

    It rests on the log loss at the headline horizon, against the heuristic and the rate; what the
    partial likelihood says is said beside it. Without a row at that horizon it rests on the latter.
    """
    return [
        _claim(stored, scores, name)
        for name in stored.scored
        if stored.models[name]["kind"] == "learned"
    ]


def _claim(stored: Stored, scores: Scores, model: str) -> Claim:
    days = stored.horizons[0]
    entry, loss = stored.models[model], at("log_loss", days)
    splits = len(entry["splits"])
    if _all_replaced(entry):
        sentence = f"no claim: it could not be fitted before any of the {splits} blocks."
        return Claim(model, *("not fitted", sentence), *["not fitted"] * 2)
    partial, second = _verdict(stored, scores, PARTIAL, model)
    if not scores.sizes[loss]:
        said = (
            f"no checkpoint has {in_days(days)} of log after it, so by the"
            f" partial-likelihood loss alone: {second}"
        )
        return Claim(model, partial, said + _fallen(entry), partial, "no row")
    finding, first = _verdict(stored, scores, loss, model)
    said = f"by the log loss at {in_days(days)}: {first} By the"
    said += f" partial-likelihood loss: {second}"
    return Claim(model, finding, said + _fallen(entry), partial, finding)


def _verdict(stored: Stored, scores: Scores, loss: str, model: str) -> tuple[str, str]:
    """(finding, sentence) by one loss."""
    if stored.replaced(model, None if loss == PARTIAL else stored.horizons[0]):
        return "fell back", "no claim, for it fell back in every block."
    rivals, ends = (stored.heuristic, RATE), []
    for rival in rivals:
        delta = scores.delta(loss, rival, model)
        ends.append([np.nan, np.nan] if delta is None else [delta.low, delta.high])
    verdict = claim(*ends, fades=stored.fades(model))
    sentence = verdict.sentence[0].lower() + verdict.sentence[1:]
    if all(h.source == "exponent" for h in half_lives_of(stored, model)):  # or a regression
        sentence = sentence.replace("learned half-lives", "its forecasts")
    finding = str(verdict.finding)
    absent = [rival for rival in rivals if rival not in stored.scored]
    if absent:
        return f"{absent[0]} is not scored", sentence
    if finding == "not shown" and np.isnan(ends).any():
        finding = "no interval"
    return finding, sentence


def _all_replaced(entry: Mapping[str, Any]) -> bool:
    """Whether no split has a fit of the model's own."""
    return all(not split["parameters"] and split["fell_back"] for split in entry["splits"])


def _fallen(entry: Mapping[str, Any]) -> str:
    fell, splits = len(entry["fell_back"]), len(entry["splits"])
    return f" It fell back in {fell} of {splits} splits." if fell else ""
