"""What is left of memories, on the device; bit-identical from run to run and for any grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hebb_lab.kernels.cuda.buffers import on_device
from hebb_lab.kernels.cuda.launch import for_each

if TYPE_CHECKING:
    from hebb_lab.kernels.cuda.launch import Launcher
    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays

COLUMNS = (torch.float32, torch.int64, torch.int64, torch.int64)
RULES = (torch.float64, torch.float64, torch.int64, torch.uint8)


def decay_scores(
    memories: MemoryArrays, rules: RetentionArrays, now_us: int, *, launcher: Launcher
) -> Any:
    """Decay scores [N, C], a thread a memory, in float64 under any precision.

    They stay on the device, a configuration's side by side; see Backend.decay_scores.
    """
    count, configs = len(memories.importance), len(rules.half_life_us)
    found = torch.empty((configs, count), dtype=torch.float32, device=launcher.device)
    columns = zip(memories, COLUMNS, strict=True)
    settings = zip(rules, RULES, strict=True)
    for_each(
        launcher, "retention", "decay_scores", count,
        [
            *(on_device(launcher, values, kind) for values, kind in columns),
            *(on_device(launcher, values, kind) for values, kind in settings),
            found, count, configs, int(now_us),
        ],
    )  # fmt: skip
    return found.T
