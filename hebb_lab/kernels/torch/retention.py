"""What is left of memories as tensors, with gradients in half-lives and gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hebb_lab.kernels.arrays import as_numpy
from hebb_lab.kernels.torch.rules import as_tensor

if TYPE_CHECKING:
    from hebb_lab.kernels.retention import MemoryArrays, RetentionArrays


def decay_scores(
    memories: MemoryArrays, rules: RetentionArrays, now_us: int, *, device: torch.device
) -> Any:
    """Decay scores [N, C] on the device, a configuration's side by side.

    Computed in float64 under any precision; see Backend.decay_scores.
    """
    importance = as_tensor(memories.importance, device, torch.float64).clamp(min=0)
    count = as_tensor(memories.access_count, device, torch.int64)
    half_life = as_tensor(rules.half_life_us, device, torch.float64)
    gain = as_tensor(rules.importance_gain, device, torch.float64)
    found = []
    for c, (cap, from_created) in enumerate(
        zip(as_numpy(rules.count_cap).tolist(), as_numpy(rules.from_created).tolist(), strict=True)
    ):
        anchor = memories.created_us if from_created else memories.accessed_us
        age = (now_us - as_tensor(anchor, device, torch.int64)).clamp(min=0)
        left = torch.exp2(-age.to(torch.float64) / (half_life[c] * (1 + gain[c] * importance)))
        score = importance * left
        if cap:
            accesses = (1 + count.clamp(max=cap).to(torch.float64)).log2()
            score = score * (1 + accesses / torch.tensor(1.0 + cap, dtype=torch.float64).log2())
        found.append(score.to(torch.float32))
    return torch.stack(found).T if found else importance.new_empty((len(importance), 0)).float()
