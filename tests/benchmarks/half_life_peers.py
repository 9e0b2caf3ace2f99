"""What half-lives are fitted with, as one would write it with NumPy or leave it to autograd."""

import numpy as np
import torch

from hebb_lab.kernels.choose import backend_named

DAY_US = 86_400_000_000
ROWS = 2048  # edges at a time, so that what is worked on stays in the processor's caches
RATE, CAP, PROVEN, FLOOR, PRUNE = 0.3, 1.0, 5, 0.2, 0.01  # the documented rules


def ordinal_table(graph, half_life_days, base_rate, gain, until_us):
    """The table L[edge, half-life] by the j-th events of all edges at once, [E, K].

    Documented rules with fixed half-lives; all strengths are 1, and all events before the end.
    """
    counts = np.diff(graph.event_ptr)
    order = np.argsort(-counts, kind="stable")
    table = np.empty((len(counts), len(half_life_days)))
    for start in range(0, len(order), ROWS):
        edges = order[start : start + ROWS]
        first, length = graph.event_ptr[edges], counts[edges]
        logs, area = (np.zeros((len(edges), len(half_life_days))) for _ in range(2))
        weight, count = np.zeros_like(logs), np.zeros_like(logs)
        for ordinal in range(length[0]):
            n = np.searchsorted(-length, -ordinal)
            event, found = first[:n] + ordinal, 0.0
            if ordinal:
                days = (graph.time[event] - graph.time[event - 1]) / DAY_US
                found, count[:n], under = _faded(weight[:n], count[:n], days, half_life_days)
                area[:n] += under
                logs[:n] += np.log(base_rate + gain * found)
            weight[:n] = np.minimum(found + RATE, CAP)
            count[:n] += 1
        days = (until_us - graph.time[first + length - 1]) / DAY_US
        area += _faded(weight, count, days, half_life_days)[2]
        whole = (until_us - graph.time[first]) / DAY_US
        table[edges] = logs - base_rate * whole[:, None] - gain * area
    return table


def _faded(weight, count, days, half_life):
    """(weight, count, ∫ weight dt) after so many days, [n, K]."""
    days = days[:, None]
    proven = count >= PROVEN
    end = np.where(proven, FLOOR, PRUNE)
    fall = np.minimum(days, half_life * np.log2(np.maximum(weight, end) / end))
    left = np.exp2(-fall / half_life)
    area = half_life / np.log(2) * weight * (1 - left) + proven * FLOOR * (days - fall)
    gone = ~proven & (weight * np.exp2(-days / half_life) < PRUNE)
    return np.where(gone, 0.0, weight * left), np.where(gone, 0.0, count), area


def autograd_gradient(graph, traces, features, theta, base_rate, gain):
    """(Σ ln(μ + β·before), its gradient in θ of ln h = features·θ) by torch, [P]."""
    leaf = torch.tensor(theta, requires_grad=True)
    half_life = (torch.as_tensor(features) @ leaf).exp()
    none = np.zeros((len(features), 0))
    found = backend_named("torch", device="cpu").replay_tangents(graph, traces, half_life, none)
    value = torch.log(base_rate + gain * found.before).sum()
    value.backward()
    return value.item(), leaf.grad.numpy()


def tangent_gradient(backend, graph, traces, features, theta, base_rate, gain):
    """The same by the chain rule, from derivatives that a back end carried forward."""
    found = backend.replay_tangents(graph, traces, np.exp(features @ theta), features)
    rate = base_rate + gain * found.before
    return np.log(rate).sum(), gain / rate @ found.before_tangent
