"""The files that a half-life run hands on, written when the run is put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hebb_lab.halflife.export import edges, fitted, half_lives, synapse_store
from hebb_lab.runs.layout import as_json, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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
    store = synapse_store.store_of(result, edges.read_edges(folder / edges.NAME))
    write_atomic(folder / synapse_store.NAME, as_json(store))
    return [fitted.NAME, synapse_store.NAME]
