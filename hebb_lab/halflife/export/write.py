"""The files that a half-life run hands on, written when the run is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from hebb_lab.errors import InputError
from hebb_lab.halflife.export import fitted, half_lives, synapse_store
from hebb_lab.runs.layout import as_json, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EDGES = "edges.parquet"


def write_exports(result: Mapping[str, Any], folder: Path) -> list[str]:
    """Write half_lives.yaml and synapse_store.json.

    Args:
        result: result.json of a half-life run, as plain values.
        folder: the run's folder; its edges.parquet, where there is one, holds half-lives of single
            edges.

    Returns:
        Names of the files written.

    Raises:
        InputError: edges.parquet cannot be read or lacks a column.
    """
    from omegaconf import OmegaConf

    text = OmegaConf.to_yaml(OmegaConf.create(half_lives.half_lives_of(result)))
    write_atomic(folder / fitted.NAME, text)
    store = synapse_store.store_of(result, _edges(folder / EDGES))
    write_atomic(folder / synapse_store.NAME, as_json(store))
    return [fitted.NAME, synapse_store.NAME]


def _edges(path: Path) -> pl.DataFrame | None:
    """Half-lives of single edges; None where the run stored none."""
    if not path.is_file():
        return None
    wanted = {"a", "b", "namespace", "half_life", "low", "high", "supported"}
    again = "Delete that run folder and run it again"
    try:
        edges = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot be read ({error})", again, path) from error
    if wanted - set(edges.columns):
        missing = ", ".join(sorted(wanted - set(edges.columns)))
        raise InputError(f"lacks the columns {missing}", again, path)
    return edges
