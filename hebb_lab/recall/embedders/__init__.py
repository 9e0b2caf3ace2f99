"""Text → vector: the embedders that a config can name."""

from hebb_lab.recall.embedders.bf16 import MiniLMBf16
from hebb_lab.recall.embedders.embedder import (
    EMBEDDERS,
    Embedder,
    KeepsFiles,
    chosen_embedder,
    made_embedder,
)
from hebb_lab.recall.embedders.hashing import HashingEmbedder
from hebb_lab.recall.embedders.minilm import MiniLM
from hebb_lab.recall.embedders.static import StaticTable

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "HashingEmbedder",
    "KeepsFiles",
    "MiniLM",
    "MiniLMBf16",
    "StaticTable",
    "chosen_embedder",
    "made_embedder",
]
