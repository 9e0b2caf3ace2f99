"""edges.parquet: half-lives of single edges, with the names by which others know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hebb_lab.halflife.facts.history import History

NAME = "edges.parquet"
SCHEMA: dict[str, Any] = {
    "edge": pl.Int64,
    "a": pl.String,
    "b": pl.String,
    "namespace": pl.String,
    "count": pl.Int64,  # reinforcements
    "half_life": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "supported": pl.Boolean,  # by shrinkage: the edge says more than its namespace does
}
"""One row is one edge."""


class EdgeHalfLives(Protocol):
    """Half-lives of U edges."""

    @property
    def edge(self) -> NDArray[np.int64]:
        """[U] numbers of the edges."""

    @property
    def value(self) -> NDArray[np.float64]:
        """[U] half-lives."""

    @property
    def low(self) -> NDArray[np.float64]:
        """[U] lower ends."""

    @property
    def high(self) -> NDArray[np.float64]:
        """[U] upper ends."""

    @property
    def supported(self) -> NDArray[np.bool_]:
        """[U] whether shrinkage supports a half-life of its own."""


def edge_frame(history: History, found: EdgeHalfLives) -> pl.DataFrame:
    """The rows of edges.parquet, in SCHEMA."""
    graph, edge = history.graph, np.asarray(found.edge, np.int64)
    names = pl.Series("node", graph.nodes, dtype=pl.String)
    spaces = pl.Series("namespace", graph.namespaces, dtype=pl.String)
    first, second = graph.edge_index.numpy()[:, edge].astype(np.int64)
    return pl.DataFrame(
        {
            "edge": edge,
            "a": names.gather(first),
            "b": names.gather(second),
            "namespace": spaces.gather(graph.edge_namespace.numpy()[edge].astype(np.int64)),
            "count": np.diff(history.pointer)[edge],
            "half_life": found.value,
            "low": found.low,
            "high": found.high,
            "supported": found.supported,
        },
        schema=SCHEMA,
    )


def read_edges(path: Path) -> pl.DataFrame | None:
    """The stored half-lives of single edges; None where a run has stored none.

    Raises:
        InputError: the file cannot be read, or has other columns.
    """
    if not path.is_file():
        return None
    again = "Delete that run folder and run it again"
    try:
        edges = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot be read ({error})", again, path) from error
    missing = sorted(SCHEMA.keys() - {"edge"} - set(edges.columns))
    if missing:
        raise InputError(f"lacks the columns {', '.join(missing)}", again, path)
    return edges
