"""What it costs to inject a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

BYTES_PER_TOKEN = 4  # the usual rule of thumb for English and code; no tokenizer is asked


def tokens_of(
    nodes: Sequence[str], texts: Mapping[str, str], with_texts: bool = False
) -> NDArray[np.int32]:
    """Tokens of what is injected for each node, [N] int32.

    tokens = ⌈UTF-8 bytes / 4⌉ of the line (the name and a newline), and, ``with_texts``, of the
    node's text and another newline where the dataset gives one. A rule of thumb, the same for all
    arms: it compares budgets and predicts no bill.

    >>> tokens_of(["a.py", "src/größe.py"], {}).tolist()
    [2, 4]
    >>> tokens_of(["a.py"], {"a.py": "x = 1"}, with_texts=True).tolist()
    [3]
    """
    return np.array([_tokens(name, texts if with_texts else {}) for name in nodes], dtype=np.int32)


def _tokens(name: str, texts: Mapping[str, str]) -> int:
    size = len(name.encode()) + 1
    if texts.get(name):
        size += len(texts[name].encode()) + 1
    return -(-size // BYTES_PER_TOKEN)
