"""The repository and what is related in it: files, topics, hubs, pairs and their half-lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.simulator.names import file_name, hub_names, twin_name

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from hebb_lab.simulator.parameters import SimulatorParameters


@dataclass(frozen=True)
class World:
    """What is true and does not change. N files, P related pairs.

    Args:
        names: [N] paths in byte-wise order; a node is an index into it.
        topic: [N] topic of each file, −1 for a hub.
        popularity: [N] weight among the files of the topic (among the hubs).
        topic_files: the files of each topic.
        hubs: the hubs.
        stay: [N] chance that an agent that touches a kept file stays at this one.
        life_days: [N] from the first touch to the deletion; hubs live for ever.
        pairs: [P, 2] related pairs, a < b.
        half_life_days: [P] true half-life of each pair.
        row_ptr: [N+1] the relatives of node n are the entries ``[row_ptr[n]:row_ptr[n+1]]``.
        relative: [2P] the related node.
        affinity: [2P] share of n's affinity that goes to that relative; a node's shares sum to 1.
        pair: [2P] index into ``pairs``.
    """

    names: tuple[str, ...]
    topic: NDArray[np.int64]
    popularity: NDArray[np.float64]
    topic_files: tuple[NDArray[np.int64], ...]
    hubs: NDArray[np.int64]
    stay: NDArray[np.float64]
    life_days: NDArray[np.float64]
    pairs: NDArray[np.int32]
    half_life_days: NDArray[np.float64]
    row_ptr: NDArray[np.int64]
    relative: NDArray[np.int64]
    affinity: NDArray[np.float64]
    pair: NDArray[np.int64]


def build_world(parameters: SimulatorParameters, topics: int, rng: Generator) -> World:
    """Invent files, topics and relations.

    Pairs: in a topic, file and relative at random with ``relatives`` as the mean; source and its
    test; file and hub. Half-life of a pair: median · exp(σ_topic·z_topic + σ_pair·z_pair).
    """
    names, topic, twin_of = _files(parameters, topics, rng)
    order = np.array(sorted(range(len(names)), key=lambda i: names[i].encode()))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    twins = [(int(rank[a]), int(rank[b])) for a, b in twin_of]
    topic = topic[order]
    hubs = rank[: parameters.hubs]  # hubs were named first, the most popular before the others
    files = tuple(np.flatnonzero(topic == k) for k in range(topics))
    popularity = np.empty(len(order))
    popularity[hubs] = (1.0 + np.arange(len(hubs))) ** -parameters.hub_zipf
    for members in files:
        popularity[members] = (1.0 + rng.permutation(len(members))) ** -parameters.file_zipf
    pairs, strength = _relations(parameters, files, hubs, twins, rng)
    soon = rng.random(len(order)) < parameters.scratch
    life = np.where(soon, parameters.scratch_life_days, parameters.death_median_days)
    life *= np.exp(parameters.death_sigma * rng.standard_normal(len(order)))
    life[hubs] = np.inf
    odds = np.exp(parameters.stay_sigma * rng.standard_normal(len(order)))
    odds *= popularity**parameters.stay_popularity
    stay = parameters.stay * odds / (1 - parameters.stay + parameters.stay * odds)
    return World(
        tuple(names[i] for i in order), topic, popularity, files, hubs, stay, life,
        pairs.astype(np.int32), _half_lives(parameters, pairs, topic, topics, rng),
        *_adjacency(len(order), pairs, strength),
    )  # fmt: skip


def _files(
    parameters: SimulatorParameters, topics: int, rng: Generator
) -> tuple[list[str], NDArray[np.int64], list[tuple[int, int]]]:
    """Names, topics and (source, test) pairs, hubs first."""
    names = hub_names(parameters.hubs)
    topic = [-1] * len(names)
    taken = set(names)
    twins: list[tuple[int, int]] = []
    for k in range(topics):
        size = parameters.topic_files_median * np.exp(
            parameters.topic_files_sigma * rng.standard_normal()
        )
        wanted = len(names) + int(np.clip(np.rint(size), 3, 400))
        attempt = 0
        while len(names) < wanted:
            name = file_name(k, attempt, rng)
            attempt += 1
            if name in taken:
                continue
            new = [name]
            if name.startswith("src/") and rng.random() < parameters.twin:
                new.append(twin_name(name))
                twins.append((len(names), len(names) + 1))
            names += new
            taken.update(new)
            topic += [k] * len(new)
    return names, np.array(topic, dtype=np.int64), twins


def _relations(
    parameters: SimulatorParameters,
    topic_files: tuple[NDArray[np.int64], ...],
    hubs: NDArray[np.int64],
    twins: list[tuple[int, int]],
    rng: Generator,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Related pairs [P, 2], a < b, in order, and their unnormalised affinity [P]."""
    found: dict[tuple[int, int], float] = {}

    def relate(a: int, b: int, affinity: float) -> None:
        key = (min(a, b), max(a, b))
        found[key] = max(found.get(key, 0.0), affinity)

    for files in topic_files:
        left, right = np.triu_indices(len(files), 1)
        chosen = rng.random(len(left)) < parameters.relatives / max(len(files) - 1, 1)
        affinity = np.exp(parameters.affinity_sigma * rng.standard_normal(len(left)))
        for a, b, weight in zip(
            files[left[chosen]], files[right[chosen]], affinity[chosen], strict=True
        ):
            relate(int(a), int(b), float(weight))
        chance = parameters.hub_relation / (1.0 + np.arange(len(hubs)))
        for file in files:
            for hub in hubs[rng.random(len(hubs)) < chance]:
                relate(int(file), int(hub), parameters.hub_affinity)
    for source, test in twins:
        relate(source, test, 4.0)
    for i, a in enumerate(hubs):
        for b in hubs[i + 1 : i + 4]:
            relate(int(a), int(b), 1.0)
    keys = sorted(found)
    return np.array(keys, dtype=np.int64).reshape(-1, 2), np.array([found[key] for key in keys])


def _half_lives(
    parameters: SimulatorParameters,
    pairs: NDArray[np.int64],
    topic: NDArray[np.int64],
    topics: int,
    rng: Generator,
) -> NDArray[np.float64]:
    """Log-normal around the topic's mean; a pair with a hub has the topic of its other end."""
    shift = np.append(parameters.half_life_topic_sigma * rng.standard_normal(topics), 0.0)
    of_pair = np.max(topic[pairs], axis=1)  # −1, two hubs, takes the last entry: no shift
    noise = parameters.half_life_pair_sigma * rng.standard_normal(len(pairs))
    return np.asarray(parameters.half_life_median_days * np.exp(shift[of_pair] + noise))


def _adjacency(
    nodes: int, pairs: NDArray[np.int64], strength: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Both directions of every pair, rows scaled to sum 1."""
    source = np.concatenate([pairs[:, 0], pairs[:, 1]])
    target = np.concatenate([pairs[:, 1], pairs[:, 0]])
    pair = np.tile(np.arange(len(pairs)), 2)
    order = np.lexsort((target, source))
    source, target, pair = source[order], target[order], pair[order]
    total = np.bincount(source, weights=strength[pair], minlength=nodes)
    row_ptr = np.searchsorted(source, np.arange(nodes + 1))
    return row_ptr, target, strength[pair] / total[source], pair
