"""A table of token vectors distilled from MiniLM: no model is run for a text."""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hebb_lab.recall.embedders.embedder import EMBEDDERS
from hebb_lab.recall.embedders.minilm import MiniLM, model_files

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
DIMENSIONS = 256
PIECE = 4096  # texts in the tokenizer's hands at once
FRAME = ("[CLS]", "[SEP]")
NO_WORDS = frozenset({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})  # BERT's, with [unusedN]


@EMBEDDERS.register("static")
@dataclass(frozen=True)
class StaticTable:
    """The mean of the rows of a text's tokens, in a table distilled from MiniLM.

    Model2Vec (Tulkens and van Dongen 2024, github.com/MinishLab/model2vec): every token of the
    vocabulary is embedded by itself, the vectors go through PCA, and the row of the token of
    frequency rank r is multiplied by log(1 + r), by Zipf's law; a vocabulary is in that order.
    There the model's last states are averaged as they are; here a token's vector is normalised
    before PCA, as MiniLM gives it. Order of words is not seen, and a text has no longest length.

    A text's vector comes from its own tokens, summed in their order in float64. The table is made
    once, in the time that MiniLM takes for its vocabulary.

    Args:
        folder: keeps the table as ``static-<hash of the model's files>.npz``; made when missing.
            None keeps it in memory only.
    """

    folder: Path | None = None

    @property
    def name(self) -> str:
        """The model's name, the way and the dimensions."""
        return f"all-MiniLM-L6-v2-static-{DIMENSIONS}"

    def with_cache(self, folder: Path) -> StaticTable:
        """The same, with its table kept in that folder."""
        return replace(self, folder=folder)

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Normalised means, [n, 256] float32; zero for a text without a known token.

        Raises:
            MissingExtraError: the extra ``embed`` is not installed.
            InputError: the model's files are missing or damaged.
        """
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, ids in enumerate(self._ids(texts)):
            total = self._table[ids].sum(axis=0, dtype=np.float64)
            length = np.sqrt((total * total).sum())
            vectors[row] = total / length if length > 0 else 0.0
        return vectors

    def _ids(self, texts: list[str]) -> Iterator[list[int]]:
        for start in range(0, len(texts), PIECE):
            piece = texts[start : start + PIECE]
            for found in self._tokenizer.encode_batch(piece, add_special_tokens=False):
                yield found.ids

    @cached_property
    def _tokenizer(self) -> Any:
        with model_files() as folder:
            from transformers import PreTrainedTokenizerFast

            file = str(folder / "tokenizer.json")
            tokenizer = PreTrainedTokenizerFast(tokenizer_file=file).backend_tokenizer
        tokenizer.no_padding()  # the file's own settings may cut and fill
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        """[V, 256]; zero for tokens that are no words."""
        vocabulary = self._tokenizer.get_vocab()
        if self.folder is None:
            return distilled(vocabulary)
        file = self.folder / f"static-{_hash_of_model()}.npz"
        kept = _read(file, max(vocabulary.values()) + 1)
        if kept is None:
            kept = distilled(vocabulary)
            _write(file, kept)
        return kept


def distilled(vocabulary: dict[str, int]) -> NDArray[np.float32]:
    """The table of a vocabulary token → id, [V, 256] float32, by MiniLM on the processor.

    Raises:
        MissingExtraError: the extra ``embed`` is not installed.
        InputError: the model's files are missing or damaged.
    """
    words = sorted(
        place
        for token, place in vocabulary.items()
        if token not in NO_WORDS and not token.startswith("[unused")
    )
    _LOG.info("static: %d tokens go through MiniLM, once", len(words))
    first, last = (vocabulary[token] for token in FRAME)
    vectors = MiniLM(device="cpu").encode_ids([[first, place, last] for place in words])
    table = np.zeros((max(vocabulary.values()) + 1, DIMENSIONS), np.float32)
    table[words] = reduced(vectors) * np.log1p(np.arange(len(words)))[:, None]
    return table


def reduced(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Principal components [n, 256] of vectors [n, d], by a full decomposition: no chance in it."""
    from sklearn.decomposition import PCA

    components = PCA(n_components=DIMENSIONS, svd_solver="full")
    reduced_to: NDArray[np.float64] = components.fit_transform(vectors.astype(np.float64))
    return reduced_to


def _hash_of_model() -> str:
    found = hashlib.sha256(f"static {DIMENSIONS} log1p".encode())
    with model_files() as folder:
        for name in ("model.safetensors", "tokenizer.json"):
            found.update((folder / name).read_bytes())
    return found.hexdigest()[:32]


def _read(file: Path, rows: int) -> NDArray[np.float32] | None:
    """The table of an earlier run, if there is one that can be used."""
    if not file.exists():
        return None
    try:
        with np.load(file, allow_pickle=False) as archive:
            table: NDArray[np.float32] = archive["table"].astype(np.float32, copy=False)
        if table.shape != (rows, DIMENSIONS):
            raise ValueError(f"a table {table.shape}, not {(rows, DIMENSIONS)}")
    except Exception as error:  # a broken zip raises errors of a dozen types
        _LOG.warning("%s cannot be read (%s): distilling anew", file, error)
        return None
    return table


def _write(file: Path, table: NDArray[np.float32]) -> None:
    """Write beside and rename: a run that dies leaves no half file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".tmp", delete=False) as beside:
        np.savez(beside, table=table)
    Path(beside.name).replace(file)
