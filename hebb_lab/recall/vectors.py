"""Unit vectors of texts: each text is embedded once for each model and kept from run to run."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hebb_lab.recall.embedders import Embedder

_LOG = logging.getLogger(__name__)
PIECE = 4096  # texts embedded before they are kept: an interrupted run loses no more than these


def embed(embedder: Embedder, texts: Sequence[str], cache: Path | None) -> NDArray[np.float32]:
    """Unit vectors of some texts, [n, d] float32; a text without content is a zero vector.

    Args:
        embedder: asked once for each distinct text, and not at all for those in the cache.
        texts: any.
        cache: folder with one folder ``embeddings-<hash of the embedder's name>`` for each model,
            made when missing. Its files hold vectors by the hashes of their texts, so a log that
            has grown costs its new texts alone. None for no cache.

    Raises:
        InputError: the embedder gave something that is not n finite vectors.
    """
    distinct = list(dict.fromkeys(texts))
    if not distinct:
        return np.zeros((0, 1), np.float32)
    keys = [_hash(text) for text in distinct]
    folder = None if cache is None else cache / f"embeddings-{_hash(embedder.name).decode()}"
    found = {} if folder is None else _load(folder, set(keys))
    missing = [i for i, key in enumerate(keys) if key not in found]
    for start in range(0, len(missing), PIECE):
        piece = missing[start : start + PIECE]
        vectors = _embedded(embedder, [distinct[i] for i in piece])
        names = [keys[i] for i in piece]
        if folder is not None:
            _save(folder, names, vectors)
        found.update(zip(names, vectors, strict=True))
    row = {text: i for i, text in enumerate(distinct)}
    return np.stack([found[key] for key in keys])[[row[text] for text in texts]]


def _embedded(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    vectors = np.asarray(embedder.encode(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise InputError(
            f"embedder {embedder.name} gave an array {vectors.shape} for {len(texts)} texts, "
            "or numbers that are not finite",
            "Use another recall.embedder",
        )
    wide = vectors.astype(np.float64)
    wide[[not text.strip() for text in texts]] = 0.0
    length = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return (wide / np.where(length > 0, length, 1.0)).astype(np.float32)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32].encode()


def _load(folder: Path, wanted: set[bytes]) -> dict[bytes, NDArray[np.float32]]:
    """The wanted vectors of earlier runs, as far as there are any that can be used."""
    found: dict[bytes, NDArray[np.float32]] = {}
    for file in sorted(folder.glob("*.npz")):
        try:
            with np.load(file, allow_pickle=False) as archive:
                keys = archive["keys"].tolist()
                if wanted.isdisjoint(keys):
                    continue
                vectors = archive["vectors"].astype(np.float32, copy=False)
            pairs = zip(keys, vectors, strict=True)
            found.update((key, vector) for key, vector in pairs if key in wanted)
        except Exception as error:  # a broken zip raises errors of a dozen types
            _LOG.warning("%s cannot be read (%s): embedding anew", file, error)
    return found


def _save(folder: Path, keys: list[bytes], vectors: NDArray[np.float32]) -> None:
    """Write beside and rename: a run that dies leaves no half file."""
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(b"".join(keys)).hexdigest()[:32]
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".tmp", delete=False) as beside:
        np.savez_compressed(beside, keys=np.array(keys), vectors=vectors)
    Path(beside.name).replace(folder / f"{name}.npz")
