"""Gradients of decay scores in half-lives and gains, held to differences of the score itself."""

import numpy as np
import torch

from hebb_lab.kernels.backend import Backend
from hebb_lab.kernels.torch.backend import kernels
from hebb_lab.kernels.torch.retention import decay_scores
from tests.kernels.retained import DAY_US, NOW_US, retention, some_memories

CPU = torch.device("cpu")
MEMORIES = some_memories(np.random.default_rng(4), 30, days=90.0)


def test_half_lives_and_gains_have_the_gradient_of_the_formula():
    rules = retention((30, 0.5, 100, False), (20, 1, 0, True))
    days = torch.tensor([30.0, 20.0], dtype=torch.float64, requires_grad=True)
    gain = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)

    def total(days, gain):
        put = rules._replace(half_life_us=days * DAY_US, importance_gain=gain)
        return decay_scores(MEMORIES, put, NOW_US, device=CPU).double().sum()

    total(days, gain).backward()
    for leaf, place in ((days, 0), (days, 1), (gain, 0), (gain, 1)):
        step = torch.zeros(2, dtype=torch.float64)
        step[place] = 1e-2
        moved = [(days + s * step, gain) if leaf is days else (days, gain + s * step)
                 for s in (1, -1)]  # fmt: skip
        slope = (total(*moved[0]) - total(*moved[1])) / 2e-2
        # sums of 30 float32 scores: differences are good to four places
        np.testing.assert_allclose(leaf.grad[place], slope.detach(), rtol=2e-3, atol=1e-4)


def test_scores_stay_on_the_device_and_what_was_placed_is_not_copied():
    backend = Backend("torch", kernels("float32", 10**6, "cpu"))
    placed = backend.place(MEMORIES)
    found = backend.decay_scores(placed, retention((30, 0, 100, False)), NOW_US)
    assert isinstance(found, torch.Tensor)
    assert placed.accessed_us.data_ptr() == MEMORIES.accessed_us.__array_interface__["data"][0]
