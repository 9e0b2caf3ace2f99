"""How results of two back ends are held together.

float64: 1e-12 relative, with 1e-14 for weights of order 1 that a penalty took to almost nothing.
float32: 1e-5 relative, where the result is well conditioned. A decision at a threshold (pruning,
the NPMI gate) and what a penalty leaves of a weight can turn on a last bit; such entries are found
by the reference itself, with rates and thresholds moved by one part in a million both ways, and
left out. float64 leaves nothing out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hebb_lab.kernels.arrays import ReplayState, on_host
from tests.kernels.backends import tolerance

if TYPE_CHECKING:
    from collections.abc import Callable

    from hebb_lab.kernels.arrays import Found
    from hebb_lab.kernels.parameters import TraceArrays

NUDGE = 1e-6
FADED = 1e-37  # what float32 holds no more


def nudged(traces: TraceArrays, by: float) -> TraceArrays:
    """The same rules, every rate and threshold moved by a small part of itself."""
    return traces._replace(
        learning_rate=traces.learning_rate * (1 + by),
        prune_below=traces.prune_below * (1 - by),
        npmi_min=np.where(
            np.isfinite(traces.npmi_min), traces.npmi_min * (1 + by), traces.npmi_min
        ),
    )


def steady(name: str, traces: TraceArrays, compute: Callable[[TraceArrays], tuple]) -> tuple:
    """(what the reference computes, True where it is to be compared), both named tuples."""
    want = compute(traces)
    good = type(want)(*(np.ones(part.shape, np.bool_) for part in want))
    if "float32" not in name:
        return want, good
    for by in (NUDGE, -NUDGE):
        for part, moved, mask in zip(want, compute(nudged(traces, by)), good, strict=True):
            mask &= np.isclose(moved, part, rtol=tolerance(name), atol=FADED)
    whole = np.all([mask for mask in good if mask.size == good[0].size], axis=0)
    return want, type(want)(*(mask if mask.size == 0 else whole for mask in good))


def assert_same(got: tuple, want: tuple, good: tuple, name: str) -> None:
    """States or snapshots: every array that the reference fills, where it is to be compared.

    A half-life is stored for edges that are alive, under traces that fix it at reinforcement.
    """
    assert type(got) is type(want)
    if isinstance(want, ReplayState) and len(want.half_life_days):
        stored = (want.half_life_days > 0) & (want.reinforcements > 0)
        good = good._replace(half_life_days=good.half_life_days & stored)
    for field, part, expected, mask in zip(
        want._fields, on_host(got), on_host(want), good, strict=True
    ):
        assert part.shape == expected.shape, field
        if part.dtype.kind in "bi":
            np.testing.assert_array_equal(part[mask], expected[mask], field)
        else:
            atol = FADED if "float32" in name else 1e-14
            np.testing.assert_allclose(
                part[mask], expected[mask], rtol=tolerance(name), atol=atol, err_msg=field
            )


def near(name: str) -> float:
    """Relative difference of scores: they are float32 in all back ends, so one last bit more."""
    return tolerance(name) + 2.0**-23


def assert_same_found(got: Found, want: Found, name: str, edges: bool = True) -> None:
    """The same nodes with the same scores in the same order, outside ties of the scores.

    A node may stand elsewhere only among nodes whose scores differ by less than the precision
    can tell, at the end of the list also in place of another one; by its own scores each list
    keeps the tie rule.
    """
    rtol = near(name)
    assert_obeys_the_tie_rule(got)
    np.testing.assert_array_equal(got.ids >= 0, want.ids >= 0)
    np.testing.assert_allclose(got.scores, want.scores, rtol=rtol)
    for place in np.argwhere(got.ids != want.ids):
        c, q, _ = place.tolist()
        node, score = got.ids[tuple(place)], float(got.scores[tuple(place)])
        known = want.ids[c, q] == node
        assert known.any() or want.ids[c, q, -1] >= 0, (c, q, node, "is found by one of two")
        expected = float(want.scores[c, q][known if known.any() else -1].item())
        assert abs(score - expected) <= 2 * rtol * abs(expected), (c, q, node, score, expected)
    if edges:
        np.testing.assert_array_equal(got.edges, want.edges)


def assert_obeys_the_tie_rule(found: Found) -> None:
    """Scores descend, equal ones by id, nothing stands twice, and −1 goes with −inf at the end."""
    ids, scores = found.ids, found.scores
    assert scores.dtype == np.float32
    assert ids.dtype == np.int32
    higher, equal = scores[..., :-1] > scores[..., 1:], scores[..., :-1] == scores[..., 1:]
    assert (higher | equal).all()
    assert ((ids[..., :-1] > ids[..., 1:]) | ~equal | (ids[..., 1:] < 0)).all()
    np.testing.assert_array_equal(ids < 0, scores == -np.inf)
    for row in ids.reshape(-1, ids.shape[-1]):
        assert len(set(row[row >= 0].tolist())) == (row >= 0).sum()


def is_steady(want: Found, moved: Found, name: str) -> bool:
    """Whether a small move of the rules leaves a walk as it is, up to the precision."""
    try:
        assert_same_found(moved, want, name)
    except AssertionError:
        return False
    return True


def likelihood_slack(graph, base_rate, until_us: int, name: str) -> np.ndarray:
    """[E, K] absolute difference of a sum whose terms may cancel: the tolerance of its terms."""
    first = graph.time[graph.event_ptr[:-1]]
    days = np.maximum(until_us - first, 0)[:, None] / 86_400e6
    events = np.diff(graph.event_ptr)[:, None]
    return tolerance(name) * (1 + base_rate * days + events * np.abs(np.log(base_rate)))
