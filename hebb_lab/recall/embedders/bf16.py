"""MiniLM in bfloat16: faster where the processor multiplies bfloat16 by itself."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hebb_lab.recall.embedders.embedder import EMBEDDERS
from hebb_lab.recall.embedders.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
CPU_FLAGS = Path("/proc/cpuinfo")  # Linux; where it is missing nothing is known
BF16_FLAGS = frozenset({"amx_bf16", "avx512_bf16", "bf16"})  # the last is ARM's


@EMBEDDERS.register("minilm_bf16")
@dataclass(frozen=True)
class MiniLMBf16(MiniLM):
    """MiniLM whose matrix products take bfloat16, under PyTorch's autocast.

    Weights, sums and norms stay float32. The cosine to MiniLM's own vectors is above 0.99; the
    bits differ, so the vectors are cached under another name. Each text still comes from itself
    alone: the check of a row's place in the batch is MiniLM's, made with these products.

    A processor without bfloat16 instructions gives the same kind of vectors, no faster than
    ``minilm``; the log says so.
    """

    @property
    def name(self) -> str:
        """The model's name and its precision."""
        return "all-MiniLM-L6-v2-bf16"

    def _forward(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        import torch

        with torch.autocast(self._model.device.type, torch.bfloat16):
            return super()._forward(ids)

    @cached_property
    def _model(self) -> Any:
        model = self._loaded()
        if model.device.type == "cpu" and bf16_in_processor() is False:
            _LOG.warning(
                "%s: this processor has no bfloat16 instructions; minilm is as fast", self.name
            )
        return model


def bf16_in_processor() -> bool | None:
    """Whether the processor has bfloat16 instructions, by its own flags; None: not known here."""
    try:
        listed = CPU_FLAGS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return not BF16_FLAGS.isdisjoint(listed.split())
