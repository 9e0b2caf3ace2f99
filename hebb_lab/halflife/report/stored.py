"""A half-life run as it is stored: what tables and figures are made from."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.clock import DAY_US, UNITS
from hebb_lab.halflife.protocol.sample import CASE_KEYS, ROW_KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from hebb_lab.runs import Run

FELL = "†"
"""Marks a number that holds predictions of namespace_defaults, which a model fell back to."""
AGAIN = "Delete the run folder and run it again"
GROUPS = {"baseline": "baselines", "published": "published", "learned": "learned"}
"""Kind of a model → what its rows of a table stand under."""


@dataclass(frozen=True)
class Stored:
    """A run with its cases and rows.

    Args:
        run: folder and result.json.
    """

    run: Run

    @property
    def result(self) -> Mapping[str, Any]:
        """result.json."""
        return self.run.result

    @property
    def about(self) -> str:
        """Data set and how much is scored, for headings."""
        scored = self.result["scored"]
        return f"{self.run.dataset['name']} · {scored['cases']:,} re-activations scored"

    @property
    def unit(self) -> str:
        """What half-lives are counted in."""
        return str(self.result["unit"])

    @property
    def horizons(self) -> list[float]:
        """Days, the headline first."""
        return [float(days) for days in self.result["horizons"]]

    def decimals(self, days: float) -> int:
        """Of losses at a horizon: three digits of the share that comes back, four at least."""
        for rows in self.result["scored"]["rows"]:
            if rows["horizon"] == days and rows["again"]:
                return max(4, 2 - math.floor(math.log10(rows["again"] / rows["rows"])))
        return 4

    @property
    def models(self) -> dict[str, Mapping[str, Any]]:
        """Entries by name, by kind and then in the order of the run."""
        order = list(GROUPS)
        entries = sorted(self.result["models"], key=lambda entry: order.index(entry["kind"]))
        return {entry["arm"]: entry for entry in entries}

    @property
    def scored(self) -> list[str]:
        """Models that have numbers."""
        return [name for name, entry in self.models.items() if entry["status"] == "ok"]

    @property
    def heuristic(self) -> str:
        """The published rule that claims are held against."""
        return str(self.result["settings"]["heuristic"])

    @cached_property
    def cases(self) -> pl.DataFrame:
        """One row a scored re-activation: CASE_KEYS and the loss of each model."""
        return self._read("cases.parquet", CASE_KEYS)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """One row a pair at a checkpoint: ROW_KEYS and the probability of each model."""
        return self._read("rows.parquet", ROW_KEYS)

    @cached_property
    def curves(self) -> dict[str, Any]:
        """What figures draw beside the scores."""
        path = self.run.folder / "curves.json"
        try:
            values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read ({error})", AGAIN, path) from error
        return values

    def rows_of(self, days: float) -> pl.DataFrame:
        """The rows of one horizon."""
        return self.rows.filter(pl.col("horizon") == days)

    def fades(self, model: str) -> bool:
        """Whether the fit to the whole log shows that weights fade: in one group at least.

        It does where the interval of the group's half-life is closed above, or the exponent of its
        power law is above 0; models that have neither are taken at their word.
        """
        final = self.models[model]["final"]
        parameters = final["parameters"] if final else {}
        if "exponent" in parameters:
            return bool(parameters["exponent"]["low"])
        for front in ("half_life_alone", "half_life"):
            told = [each for name, each in parameters.items() if _is_of(name, front)]
            if told:  # stored intervals are null above where they are open
                return any(e["value"] is not None and e["high"] is not None for e in told)
        return True

    def fallen(self, model: str, days: float | None) -> list[int]:
        """Blocks whose rows of a horizon, or cases, another model predicts that it fell back to."""
        part = "cases" if days is None else f"{days:g} days"
        return [
            split["split"]
            for split in self.models[model]["splits"]
            if split["fell_back"]
            and (not split["parameters"] or part in split.get("replaced", (part,)))
        ]

    def replaced(self, model: str, days: float | None) -> bool:
        """Whether nothing of such rows, or of the cases, is the model's own prediction."""
        return 0 < len(self.models[model]["splits"]) == len(self.fallen(model, days))

    def fallen_share(self, model: str, days: float | None) -> float:
        """Part of the rows of a horizon, or of the cases, scored after the model fell back."""
        frame = self.cases if days is None else self.rows_of(days)
        blocks = self.fallen(model, days)
        if not blocks or not frame.height:
            return 0.0
        return int(frame["block"].is_in(blocks).sum()) / frame.height

    def _read(self, name: str, keys: tuple[str, ...]) -> pl.DataFrame:
        path = self.run.folder / name
        try:
            frame = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"cannot be read ({error})", AGAIN, path) from error
        missing = [key for key in (*keys, *self.scored) if key not in frame.columns]
        if missing:
            raise InputError(f"lacks the columns {', '.join(missing)}", AGAIN, path)
        return frame


def _is_of(name: str, front: str) -> bool:
    """Whether a parameter is of that name, for some group, on any clock."""
    clocks = ("", *(f"_{clock}" for clock in UNITS))
    return name.partition("[")[0] in {f"{front}{clock}" for clock in clocks}


def days_of(frame: pl.DataFrame) -> NDArray[np.int64]:
    """[R] the UTC day of each row: what intervals are made of."""
    return frame["time_us"].to_numpy() // DAY_US
