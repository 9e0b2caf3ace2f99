"""Whether questions can be asked, and what they need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hebb_lab.errors import InputError
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.limits import CONTENT_BYTES
from hebb_lab.memory.strategies.asking.shapes import check_shapes
from hebb_lab.memory.values import Cues, Failure

_UNIT = 1e-3  # a vector whose length is off by more is scaled
_HEX = re.compile(r"[0-9a-fA-F]{32}")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}")
NO_VECTOR = (
    "the cue has no vector: give one, or a store with an embedder, or words that the embedder knows"
)


def names_id(text: str | None) -> NDArray[np.uint64] | None:
    """The id [2] that a text is: a ULID or 32 hexadecimal digits; None where it is neither."""
    if text is None:
        return None
    if _HEX.fullmatch(text):
        ids = Ids.from_bytes([bytes.fromhex(text)])
    elif _ULID.fullmatch(text):
        ids = Ids.parse([text.upper()])
    else:
        return None
    half: NDArray[np.uint64] = ids.array[0]
    return half


def wants_vector(cues: Cues, strategies: Sequence[str]) -> NDArray[np.bool_]:
    """[Q] which questions need a vector: a causal one that names its seed does not, nor time."""
    if cues.vectors is not None or not {"similarity", "analogical", "causal"} & set(strategies):
        return np.zeros(len(cues), np.bool_)
    if {"similarity", "analogical"} & set(strategies):
        return np.ones(len(cues), np.bool_)
    seeds = cues.seeds or [None] * len(cues)
    return np.array(
        [seed is None and names_id(text) is None
         for seed, text in zip(seeds, cues.texts, strict=True)], np.bool_,
    )  # fmt: skip


def with_vector(
    cues: Cues, dimensions: int, strategy: str
) -> tuple[NDArray[np.float32], NDArray[np.int64], tuple[Failure, ...]]:
    """Vectors [Q, d], the questions [n] whose vector is not 0, and a failure of each other one.

    Args:
        cues: the questions.
        dimensions: d.
        strategy: that asks.
    """
    vectors = (
        np.zeros((len(cues), dimensions), np.float32) if cues.vectors is None else cues.vectors
    )
    there = vectors.any(axis=1)
    bare = np.flatnonzero(~there).tolist()
    failures = tuple(Failure(place, strategy, NO_VECTOR) for place in bare)
    return vectors, np.flatnonzero(there), failures


def checked(cues: Cues, dimensions: int, strategies: Sequence[str]) -> Cues:
    """The questions, with vectors as float32 of length 1.

    A text may be empty where a vector or a seed stands for it, or where only time is asked for.

    Args:
        cues: the questions.
        dimensions: d of the store.
        strategies: that are asked.

    Raises:
        InputError: a text that is empty or longer than 65,536 bytes, what `check_shapes` refuses,
            vectors of another length or that are not finite.
    """
    check_shapes(cues)
    for place, text in enumerate(cues.texts):
        if len(text.encode("utf-8", "surrogatepass")) > CONTENT_BYTES:
            raise InputError(f"cue {place} is longer than {CONTENT_BYTES} bytes", "Shorten it")
        bare = cues.vectors is None and not (cues.seeds and cues.seeds[place])
        if not text and bare and set(strategies) != {"temporal"}:
            raise InputError(f"cue {place} is empty", "Give a text, a vector or a seed")
    if cues.vectors is None:
        return cues
    return replace(cues, vectors=_unit(np.asarray(cues.vectors, np.float32), dimensions))


def _unit(vectors: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise InputError(
            f"vectors of cues are {list(vectors.shape)}, those of the store have {dimensions}"
            " numbers",
            "Give [Q, d] vectors of the store's embedder",
        )
    if not np.isfinite(vectors).all():
        raise InputError("a vector of a cue is not finite", "Give finite numbers")
    length = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    off = (np.abs(length - 1) > _UNIT) & (length > 0)
    if not off.any():
        return vectors
    return np.where(off, vectors / np.where(off, length, 1), vectors).astype(np.float32)
