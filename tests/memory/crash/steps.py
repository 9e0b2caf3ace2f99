"""A store's life as numbered steps: each follows from the seed, its number and the store alone.

So a store in memory that takes the same steps holds, bit by bit, what a durable one must hold.
"""

import numpy as np

from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.store import Criteria, MemoryStore
from hebb_lab.memory.values import Batch, Cues, Draft, EdgeKind, Link

DIMENSIONS = 8
START_US, STEP_US = 1_700_000_000_000_000, 3_600_000_000  # an hour a step
RULES = {
    "write": DOCUMENTED,
    "forget": DOCUMENTED,
    "revise": DOCUMENTED.change(revise="in_place", revisions_kept=1),
    "compact": DOCUMENTED.change(vacuum=False),
    "reflect": DOCUMENTED,
    "migrate": DOCUMENTED,
}
"""Scenario → rules."""
# Of remember, batch, recall, revise, forget, by entity, decay, auto-forget, reflect, compact.
_SHARES = {
    "write": (6, 1, 3, 3, 1, 0, 1, 0, 0, 0),
    "forget": (4, 1, 1, 1, 4, 2, 1, 1, 0, 0),
    "revise": (3, 0, 1, 8, 1, 1, 0, 0, 0, 0),
    "compact": (3, 1, 0, 1, 3, 1, 0, 0, 0, 3),
    "reflect": (4, 1, 0, 1, 2, 0, 0, 0, 4, 0),
    "migrate": (4, 1, 1, 1, 2, 0, 0, 0, 0, 0),
}  # fmt: skip


def in_memory(scenario):
    """The store that a durable one of a scenario is held against."""
    return MemoryStore.in_memory(DIMENSIONS, rules=RULES[scenario])


def take(store, scenario, seed, number):
    """Take one step: at most one commit, and what follows from it.

    Args:
        store: after all steps before.
        scenario: of RULES.
        seed: of the life.
        number: of the step, from 0.
    """
    rng = np.random.default_rng([seed, number])
    store.rng = np.random.default_rng([seed, number, 1])
    shares = np.array(_SHARES[scenario], float)
    chosen = _STEPS[rng.choice(len(shares), p=shares / shares.sum())]
    if len(living(store)) < 8 and chosen not in (_remember, _batch):
        chosen = _remember
    chosen(store, rng, f"{seed:04d}x{number:04d}", START_US + number * STEP_US)


def entity_of(seed, number):
    """The entity that a step may write of; six steps share one."""
    return f"entity{seed:04d}z{number // 6:04d}"


def living(store):
    """Ids of all memories, ascending."""
    return sorted(store.state.ids_of(np.flatnonzero(store.state.alive)))


def _some(store, rng, most):
    ids = living(store)
    return [ids[place] for place in sorted(set(rng.integers(0, len(ids), most).tolist()))]


def _vector(rng):
    made = rng.standard_normal(DIMENSIONS).astype(np.float32)
    return made / np.linalg.norm(made)


def _said(rng, name, place):
    word = f"word{name}y{place:03d}"
    return " ".join([word] * (3000 if rng.random() < 0.05 else int(rng.integers(1, 40))))


def _context(name, place):
    return {"where": f"context{name}y{place:03d}"} if place % 2 else {}


def _draft(store, rng, name, place):
    links = []
    if len(store.state.ids_of(np.flatnonzero(store.state.alive))) and rng.random() < 0.5:
        kind = EdgeKind(int(rng.integers(1, 4)))
        links = [Link(kind, _some(store, rng, 1)[0], float(np.float32(rng.random())))]
    entity = entity_of(int(name[:4]), int(name[5:])) if rng.random() < 0.7 else None
    importance = float(rng.choice([0.001, 0.3, 0.9]))
    return Draft(
        _said(rng, name, place), importance, _context(name, place), entity, links, _vector(rng)
    )


def _remember(store, rng, name, at_us):
    count = int(rng.integers(1, 6))
    store.remember([_draft(store, rng, name, place) for place in range(count)], at_us)


def _batch(store, rng, name, at_us):
    count = int(rng.integers(20, 80))
    vectors = np.stack([_vector(rng) for _ in range(count)])
    contents = [_said(rng, name, place) for place in range(count)]
    contexts = [_context(name, place) for place in range(count)]
    batch = Batch(contents, vectors, rng.random(count).astype(np.float32), contexts,
                  f"entity{name}batch")  # fmt: skip
    store.remember(batch, at_us)


def _recall(store, rng, _, at_us):
    store.recall(Cues(vectors=np.stack([_vector(rng) for _ in range(3)])), at_us, k=4)


def _revise(store, rng, name, at_us):
    current = [
        one.id for one in store.get(_some(store, rng, 6)) if not one.superseded
    ]  # fmt: skip
    if not current:
        _remember(store, rng, name, at_us)
        return
    store.revise(
        current[0], at_us, content=_said(rng, name, 900), vector=_vector(rng),
        context=_context(name, 901),
    )  # fmt: skip


def _forget(store, rng, _, at_us):
    store.forget(_some(store, rng, 4), at_us)


def _forget_entity(store, rng, name, at_us):
    named = [one.entity_id for one in store.get(_some(store, rng, 6)) if one.entity_id]
    if named:
        store.forget(Criteria(entity_id=named[0]), at_us)
    else:
        _forget(store, rng, name, at_us)


def _decay(store, _, __, at_us):
    store.decay(at_us)


def _auto_forget(store, rng, name, at_us):
    flagged = store.state.column("flagged")[store.state.alive]
    if flagged.any():
        store.auto_forget(at_us)
    else:
        _forget(store, rng, name, at_us)


def _reflect(store, _, __, at_us):
    store.reflect(at_us)


def _compact(store, _, __, ___):
    store.compact()


_STEPS = (_remember, _batch, _recall, _revise, _forget, _forget_entity, _decay, _auto_forget,
          _reflect, _compact)  # fmt: skip
