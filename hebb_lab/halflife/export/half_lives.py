"""half_lives.yaml: the half-lives of each model of a run, for the whole log and for each split."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from hebb_lab.halflife.export.fitted import FORMAT
from hebb_lab.halflife.facts.clock import UNITS
from hebb_lab.halflife.objectives.profile import is_identified
from hebb_lab.halflife.protocol.plain import number
from hebb_lab.runs.identity import code_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFERRED = "frailty"
_HALF_LIFE = re.compile(r"half_life\[(.+)\]")


def half_lives_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """The content of half_lives.yaml, as plain values.

    A group of which the log says nothing stands there with its verdict and no value; a model
    without a half-life of any group does not stand there at all.

    Args:
        result: result.json of a half-life run.
    """
    settings, dataset = result["settings"], result["dataset"]
    models = {}
    for entry in result["models"]:
        found = _model(entry)
        if found is not None:
            models[entry["arm"]] = found
    return {
        "format": FORMAT,
        **provenance(result),
        "dataset": {"name": dataset["name"], "sha256": dataset["sha256"]},
        "clock": settings["clock"],
        "unit": UNITS[settings["clock"]],
        "activity": settings["activity"],
        "group_by": settings["group_by"],
        "rules": dict(result["rules"]),
        "model": _default(models),
        "models": models,
        "end": FORMAT,
    }


def provenance(result: Mapping[str, Any]) -> dict[str, Any]:
    """Where the half-lives come from: run, commit, version of the code, seed."""
    return {
        "run": f"{result['experiment']}/{result['run_id']}",
        "commit": result["commit"],
        "code_version": code_version(),
        "seed": result["seed"],
    }


def groups_of(parameters: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The parameters ``half_life[name]``: name → half_life, low, high, events, verdict.

    >>> told = {"value": 7.0, "low": 5.0, "high": None, "events": 40, "verdict": "not above 5"}
    >>> groups_of({"half_life[personal]": told, "prior_spread": told})["personal"]["half_life"]
    7.0
    >>> groups_of({"half_life[personal]": {**told, "low": 0.0}})["personal"]["half_life"] is None
    True
    """
    found = {}
    for name, estimate in parameters.items():
        named = _HALF_LIFE.fullmatch(name)
        if named is not None:
            group = _group(estimate)
            if group["half_life"] is not None or group["verdict"]:
                found[named[1]] = group
    return found


def _group(estimate: Mapping[str, Any]) -> dict[str, Any]:
    """One group; without its value where a verdict stands and nothing bounds it."""
    low, high = estimate["low"] or None, estimate["high"]  # a low end of 0 is an open one
    unsupported = bool(estimate["verdict"]) and low is None and high is None
    value = number(estimate["value"])
    return {
        "half_life": None if unsupported or math.isnan(value) else value,
        "low": low,
        "high": high,
        "events": estimate["events"],
        "verdict": estimate["verdict"],
    }


def _model(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """The half-lives of a model; None where it has none, was skipped, or failed."""
    if entry["status"] != "ok" or not entry.get("final"):
        return None
    made: dict[str, Any] = {
        "final": {"until_us": None, "groups": _fitted(entry["final"])},
        "splits": [
            {
                "split": split["split"],
                "until_us": split["until_us"],
                "fell_back": split.get("fell_back"),
                "groups": _fitted(split),
            }
            for split in entry.get("splits") or ()
        ],
    }
    fits = [made["final"], *made["splits"]]
    return made if any(fit["groups"] for fit in fits) else None


def _fitted(fit: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The groups of one fit; what a model fell back to is not its own."""
    return {} if fit.get("fell_back") else groups_of(fit.get("parameters") or {})


def _default(models: Mapping[str, Any]) -> str | None:
    """The model to use where none is named: the preferred one where it has any half-life.

    Else the first learned one that has one which the log identifies; a bound of what is fitted, or
    a number above which all are alike, does not make another model the default.
    """
    from hebb_lab.halflife import models as _registered  # noqa: F401
    from hebb_lab.halflife.model import MODELS

    if any(_valued(models.get(PREFERRED))):
        return PREFERRED
    known = (
        name
        for name, model in models.items()
        if any(is_identified(group["verdict"]) for group in _valued(model))
    )
    learned = (name for name in known if name in MODELS and MODELS[name].kind == "learned")
    return next(learned, None)


def _valued(model: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """The groups with a half-life in the fit to the whole log."""
    groups = model["final"]["groups"].values() if model else ()
    return (group for group in groups if group["half_life"] is not None)
