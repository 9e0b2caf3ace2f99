"""No model sees the future: whatever happens after a moment, what was predicted before it stays."""

import functools

import numpy as np
import pytest

from hebb_lab.halflife.facts.cases import draw_cases
from hebb_lab.halflife.facts.rows import draw_rows
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.protocol.settings import known_models
from hebb_lab.records import Activity, EdgeTruth
from tests.halflife.made import DAY_US, START_US, graph, random_windows
from tests.halflife.small import history

NODES, COUNT, FITTED, SEEN = 10, 420, 240, 320  # recalls: all, before the fit ends, before the cut
MODELS = known_models()


def world():
    """Recalls of a few nodes in two namespaces, at times that all differ."""
    return random_windows(7, count=COUNT, nodes=NODES, spaces=(0, 1), most=4, silences=0.02)


def shuffled(windows):
    """The same until the cut; after it the recalls have each other's nodes and other times."""
    rng = np.random.default_rng(1)
    past, future = windows[:SEEN], windows[SEEN:]
    order = rng.permutation(len(future))
    times = np.cumsum(rng.integers(1, 2 * 86_400_000_000, len(future))) + past[-1][0]
    return past + [(int(time), *future[i][1:]) for time, i in zip(times, order, strict=True)]


def deleted(windows):
    """Nothing after the cut."""
    return windows[:SEEN]


def newcomers(windows):
    """After the cut come pairs that were never seen, in a namespace that was never seen."""
    return windows[:SEEN] + [(t, [NODES, NODES + 1 + i % 3], s, 2) for i, (t, _, s, _) in
                             enumerate(windows[SEEN:])]  # fmt: skip


FUTURES = {"shuffled": shuffled, "deleted": deleted, "newcomers": newcomers}


def facts_of(windows):
    """The history, with a truth that knows each pair by its nodes."""
    made = graph(windows, NODES + 4)
    pairs = made.edge_index.numpy().T
    key = pairs[:, 0] * 31 + pairs[:, 1]
    activity = Activity(np.array([START_US, START_US + 10**14]), np.array([1.0]))
    truth = EdgeTruth(
        tuple(made.nodes), pairs, 5.0 + key % 7, 0.1 + key % 3, 1.0 + key % 2, "exponential", 0.5,
        0.5, activity,
    )  # fmt: skip
    starts = np.array([time for time, *_ in windows[::5]])  # a session every five recalls
    return history(made, truth, session_us=starts)


@functools.cache
def said(name, future):
    """(pairs, times, intensities, probabilities, half-lives) before the cut, as bytes."""
    windows = FUTURES[future](world()) if future else world()
    facts = facts_of(windows)
    fit = MODELS[name].fit(facts, Training(FITTED, controls=8, stride_days=2.0))
    birth, ends = facts.birth(), facts.graph.edge_index.numpy()
    moments = [(edge, recall) for edge in np.flatnonzero(birth < FITTED).tolist()
               for recall in (*range(FITTED, SEEN, 9), SEEN - 1)]  # fmt: skip
    spaces = facts.graph.edge_namespace.numpy()
    moments.sort(key=lambda m: (ends[0, m[0]], ends[1, m[0]], spaces[m[0]], m[1]))
    edge, recall = np.array(moments).T
    asked = facts.asked(edge, facts.recall_us[recall])
    parts = (
        ends[:, edge], asked.time_us, fit.intensity(asked), fit.predict(asked, 3.0),
        fit.half_life(asked),
    )  # fmt: skip
    return [part.tobytes() for part in parts]


PLAINLY = [(name, future) for name in MODELS for future in FUTURES]


@pytest.mark.parametrize(("name", "future"), PLAINLY)
def test_whatever_happens_later_every_prediction_before_it_is_bit_identical(name, future):
    before, after = said(name, None), said(name, future)
    names = ("pairs", "times", "intensities", "probabilities", "half-lives")
    assert [n for n, a, b in zip(names, before, after, strict=True) if a != b] == []


def test_what_happens_before_does_change_predictions():
    windows = world()
    other = [(t, [0, 1] if i % 5 == 0 else m, s, n) for i, (t, m, s, n) in enumerate(windows)]
    fits = [
        MODELS["frailty"].fit(facts_of(made), Training(FITTED, controls=8, stride_days=2.0))
        for made in (windows, other)
    ]
    one, two = (fit.parameters["half_life[personal]"] for fit in fits)
    assert one != two


@pytest.mark.parametrize("future", FUTURES)
def test_what_is_scored_before_a_moment_is_drawn_without_what_comes_after(future):
    draws = []
    for windows in (world(), FUTURES[future](world())):
        facts = facts_of(windows)
        ends = facts.graph.edge_index.numpy()
        cases = draw_cases(facts, FITTED, SEEN, controls=8, seed=3)
        rows = draw_rows(facts, FITTED, SEEN - 1, 0.5, stride_days=1.0, seed=3)
        some = rows.moments.time_us + round(0.5 * DAY_US) <= facts.recall_us[SEEN - 1]
        parts = (
            ends[:, cases.moments.edge], cases.live, cases.moments.time_us,
            ends[:, rows.moments.edge[some]], rows.moments.time_us[some], rows.again[some],
        )  # fmt: skip
        draws.append([part.tobytes() for part in parts])
    assert draws[0] == draws[1]
