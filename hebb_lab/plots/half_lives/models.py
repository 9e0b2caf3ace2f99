"""How each half-life model is drawn: the same colour and stroke in every figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.plots import style
from hebb_lab.plots.roles import Look

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

LEADING = ("heuristic_deployed", "rate", "frailty", "oracle")
"""Brought out where there are too many models to colour them all."""
MOST = 8
"""So many lines in colour can be told apart."""

# Baselines are broken, published rules dash and dot, learned models solid.
_LOOKS = {
    "constant": Look(style.QUIET, 1.5, "--", 3),
    "rate": Look(style.GREEN, 1.8, "--", 4),
    "moving_average": Look(style.AMBER, 1.5, "--", 3),
    "recency": Look(style.BROWN, 1.5, "--", 3),
    "oracle": Look(style.BLACK, 1.6, ":", 4),
    "fixed": Look(style.PURPLE, 1.5, "-.", 3),
    "namespace_defaults": Look(style.INDIGO, 1.5, "-.", 3),
    "heuristic_deployed": Look(style.BLUE, 2.4, "-.", 5),
    "heuristic_documented": Look(style.SKY, 1.5, "-.", 3),
    "hierarchical": Look(style.BLUE, 1.8, "-", 4),
    "log_linear": Look(style.GREEN, 1.8, "-", 4),
    "empirical_bayes": Look(style.PURPLE, 1.8, "-", 4),
    "basis": Look(style.BROWN, 1.8, "-", 4),
    "rate_decay": Look(style.BROWN, 1.5, "--", 4),
    "frailty": Look(style.VERMILION, 2.6, "-", 6),
    "power_law": Look(style.AMBER, 1.8, "-", 4),
    "logistic": Look(style.INDIGO, 1.8, "-", 4),
    "stability": Look(style.SKY, 1.8, "-", 4),
}


def look_of(model: str) -> Look:
    """Colour and stroke of a model; a model of no such name is drawn in grey, solid."""
    return _LOOKS.get(model, Look(style.QUIET, 1.8, "-", 4))


def looks_of(models: Sequence[str], leading: Collection[str] = LEADING) -> dict[str, Look]:
    """How each of the models is drawn together with the others.

    Args:
        models: what one figure shows.
        leading: those in colour where there are more than ``MOST``; the rest is pale then.
    """
    pale = Look(style.FAINT, 1.0, "-", 2)
    crowded = len(models) > MOST
    return {m: pale if crowded and m not in leading else look_of(m) for m in models}


def letters(look: Look) -> str:
    """Colour of the name beside a line: what is pale as a line must still be read as letters."""
    return style.QUIET if look.colour == style.FAINT else look.colour
