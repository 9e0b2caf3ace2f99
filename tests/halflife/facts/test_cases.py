"""Cases and controls: who may be drawn, how evenly, and that nothing later moves it."""

import numpy as np
import pytest

from hebb_lab.halflife.facts.cases import draw_cases, too_few
from tests.halflife.made import edge_of, history, pairs, random_windows, window

LOG = random_windows(21, 250, nodes=9, spaces=(0, 0, 1), ties=0.1)


def test_a_case_is_a_reactivation_and_stands_first_in_its_row():
    found = history(LOG)
    cases = draw_cases(found, 0, found.recalls)
    assert set(cases.event.tolist()) == set(found.reactivations(0, found.recalls).tolist())
    assert len(cases.event) > 100
    assert cases.left_out == 0
    assert cases.live[:, 0].all()
    assert cases.edge().tolist() == found.edge_of[cases.event].tolist()
    assert (found.recall_us[found.event_recall[cases.event]] == cases.moments.time_us[::21]).all()
    assert (np.diff(cases.recall()) >= 0).all()


def test_a_control_is_a_live_edge_of_the_same_group_that_is_not_active_in_the_recall():
    found = history(LOG)
    cases = draw_cases(found, 0, found.recalls)
    edges = cases.moments.edge.reshape(cases.live.shape)
    active = set(zip(found.edge_of.tolist(), found.event_recall.tolist(), strict=True))
    born = found.birth()
    checked = 0
    for row, recall in enumerate(cases.recall().tolist()):
        for edge in edges[row, 1:][cases.live[row, 1:]].tolist():
            assert found.group[edge] == found.group[edges[row, 0]]
            assert born[edge] < recall
            assert (edge, recall) not in active
            checked += 1
    assert checked > 1000


def eligible(found, case, recall):
    """By the definition: the edges that may be a control."""
    active = found.edge_of[found.event_recall == recall]
    live = (found.birth() < recall) & (found.group == found.group[case])
    return set(np.flatnonzero(live).tolist()) - set(active.tolist())


def test_no_control_counts_twice_so_that_a_small_group_is_its_own_risk_set():
    found = history(LOG)
    cases = draw_cases(found, 0, found.recalls, controls=200)
    edges = cases.moments.edge.reshape(cases.live.shape)
    whole = 0
    for row, recall in enumerate(cases.recall().tolist()):
        drawn = edges[row, 1:][cases.live[row, 1:]].tolist()
        assert len(set(drawn)) == len(drawn)
        wanted = eligible(found, int(edges[row, 0]), recall)
        assert set(drawn) <= wanted
        whole += set(drawn) == wanted
    assert whole > 0.95 * len(cases.event)


def test_the_sampled_likelihood_of_a_small_group_finds_the_true_ratio_of_rates():
    # four edges, one comes back three times as often as each of the others
    rng = np.random.default_rng(4)
    windows = pairs(*[(edge / 10, edge) for edge in range(4)])
    windows += pairs(
        *[(1 + i, e) for i, e in enumerate(rng.choice(4, 3000, p=[0.5] + [1 / 6] * 3))]
    )
    found = history(windows)
    often = edge_of(found, 0, 1)
    cases = draw_cases(found, 4, found.recalls)
    case, total = cases.totals((cases.moments.edge == often).astype(float)[:, None])
    size = cases.live.sum(axis=1)
    # ℓ(r) = Σ ln(1 + (r − 1) x) − ln(size + (r − 1) Σ x)
    ratios = np.linspace(1, 30, 1000)
    values = [
        (np.log1p((r - 1) * case[:, 0]) - np.log(size + (r - 1) * total[:, 0])).sum()
        for r in ratios
    ]
    # with controls that count as often as they are drawn it was 6.5
    assert ratios[int(np.argmax(values))] == pytest.approx(3.0, rel=0.1)


def test_a_case_without_any_control_says_nothing_and_is_left_out():
    found = history([*pairs((0, 0), (1, 1), (2, 0), (3, 0)), window(4, [20, 21], 1),
                     window(5, [20, 21], 1)])  # fmt: skip
    cases = draw_cases(found, 0, found.recalls)
    assert not (found.group[cases.edge()] == found.groups.index("shared")).any()
    assert cases.live[:, 1:].any(axis=1).all()
    assert (cases.left_out, cases.alone) == (0, 1)


def test_controls_are_drawn_evenly_from_all_that_may_be_drawn():
    many = 40
    windows = pairs(*[(edge, edge) for edge in range(many)])
    windows += pairs(*[(100 + i, i % many) for i in range(2000)])
    found = history(windows)
    cases = draw_cases(found, many, found.recalls, controls=3)
    edges = cases.moments.edge.reshape(cases.live.shape)[:, 1:][cases.live[:, 1:]]
    counts = np.bincount(edges, minlength=many)
    expected = counts.sum() / many
    # χ² with 39 degrees of freedom: 99.9 % lie below 72.1
    assert ((counts - expected) ** 2 / expected).sum() < 72.1


def test_too_many_cases_are_thinned_evenly_and_counted():
    found = history(random_windows(22, 1500, nodes=12))
    whole = draw_cases(found, 0, found.recalls)
    some = draw_cases(found, 0, found.recalls, most=600)
    assert len(some.event) + some.left_out == len(whole.event)
    assert len(some.event) == pytest.approx(600, rel=0.15)
    assert set(some.event.tolist()) <= set(whole.event.tolist())
    middle = float(np.median(whole.recall()))
    assert (some.recall() < middle).mean() == pytest.approx(0.5, abs=0.08)


def test_a_case_that_is_kept_has_the_controls_that_it_has_among_all():
    found = history(random_windows(22, 600, nodes=12))
    whole, some = (draw_cases(found, 0, found.recalls, most=most) for most in (10**9, 300))
    place = np.searchsorted(
        whole.recall() * 10**6 + whole.edge(), some.recall() * 10**6 + some.edge()
    )
    rows = whole.moments.edge.reshape(whole.live.shape)[place]
    assert (rows == some.moments.edge.reshape(some.live.shape)).all()


def named(found, cases):
    """Cases as nodes and times, which do not depend on how edges are numbered."""
    ends = found.graph.edge_index.numpy().T[cases.moments.edge]
    names = np.array([f"{found.graph.nodes[a]} {found.graph.nodes[b]}" for a, b in ends.tolist()])
    return names.reshape(cases.live.shape), cases.moments.time_us, cases.live


@pytest.mark.parametrize("until", [40, 120])
def test_cases_and_controls_are_unmoved_by_whatever_comes_later(until):
    log = random_windows(23, 200, nodes=9, spaces=(0, 0, 1))
    rng = np.random.default_rng(0)
    other = [(time, [int(n) for n in rng.permutation(9)[: len(nodes)]], strength, 2)
             for time, nodes, strength, _ in log[until:]]  # fmt: skip
    drawn = [
        named(found, draw_cases(found, 10, until, most=50, seed=3))
        for found in (history(log), history(log[:until] + other), history(log[: until + 1]))
    ]
    for one in drawn[1:]:
        for mine, theirs in zip(drawn[0], one, strict=True):
            assert (mine == theirs).all()


def test_another_seed_draws_other_controls_and_the_same_seed_the_same():
    found = history(LOG)
    one, two, three = (draw_cases(found, 0, 200, seed=seed).moments.edge for seed in (1, 1, 2))
    assert (one == two).all()
    assert (one != three).any()


def test_windows_at_one_time_draw_controls_like_any_others():
    twice = [window(0, [0, 1]), window(1, [2, 3]), window(1, [2, 3]), window(2, [2, 3]),
             window(2, [2, 3]), window(3, [0, 1])]  # fmt: skip
    found = history(twice)
    cases = draw_cases(found, 0, found.recalls)
    assert cases.recall().tolist() == [2, 2, 3]


def test_no_recalls_have_no_cases():
    found = history(LOG)
    cases = draw_cases(found, 30, 30)
    assert len(cases.event) == 0
    assert cases.live.shape == (0, 21)


def test_a_burn_in_has_no_cases():
    found = history(LOG, burn_in_days=20.0)
    assert draw_cases(found, 0, found.recalls).recall().min() >= found.entry > 0


def together(days):
    """Two pairs that are always active together."""
    return history([window(day, [nodes, nodes + 1]) for day in range(days) for nodes in (1, 4)])


def test_too_few_cases_are_of_too_little_log_or_of_thinning_or_have_no_control():
    found = together(20)
    alone = draw_cases(found, 0, found.recalls)
    assert (len(alone.event), alone.left_out, alone.alone) == (0, 0, 38)
    said = str(too_few(alone, "a half-life", 10))
    assert "none of 38 re-activations has a live pair beside it" in said
    assert "not all active together" in said
    log = history(LOG)
    thinned = draw_cases(log, 0, log.recalls, most=3)
    said = str(too_few(thinned, "a half-life", 10))
    assert f"{len(thinned.event)} of {len(log.reactivations(0, log.recalls))}" in said
    assert "Raise halflife.cases_max to 10" in said
    short = together(5)
    said = str(too_few(draw_cases(short, 0, short.recalls), "a power law", 10, " in a group"))
    assert said == (
        "8 re-activations are too few to fit a power law. Give a log with 10 in a group, or wider"
        " windows."
    )
