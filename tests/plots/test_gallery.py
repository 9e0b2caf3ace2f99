"""Which figures a run has, and that they show the numbers of its leaderboard."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex

from hebb_lab.evaluation.spec import parse
from hebb_lab.plots import choose, gallery
from hebb_lab.plots.roles import look
from hebb_lab.runs import boards, read_run
from hebb_lab.runs.effects import effects_of
from tests.plots.looking import outside, words
from tests.runs import synthetic

ARMS = (
    "random", "half_life_7d", "half_life_1d", "half_life_none", "power_law", "dense",
    "potentiation_off", "bm25", "additive", "oracle", *synthetic.SETS,
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    return read_run(
        synthetic.write_run(root, arms=ARMS, attribution=synthetic.attribution("shapley"))
    )


@pytest.fixture(scope="module")
def board(run):
    return boards.board_of(run, 50)


@pytest.fixture(scope="module")
def rows(board):
    return choose.rows_of(board, "simulated", "first_touch", "any@10")


@pytest.fixture(scope="module")
def figures(run, board):
    effects = effects_of(run, boards.settings_of(run, 50))
    return dict(gallery.of_run(run, board, 50, effects))


def test_a_run_has_every_figure_of_every_task(figures):
    kinds = ("any_at_k", "R_at_k", "budget", "forest", "half_life")
    assert set(figures) == {f"{kind}_{task}" for kind in kinds for task in synthetic.TASKS} | {
        f"attribution_shapley_{task}" for task in synthetic.TASKS
    }


@pytest.mark.parametrize(("family", "k"), [("any", 10), ("any", 1), ("R", 10)])
def test_the_curve_of_the_base_goes_through_its_leaderboard_value(run, figures, family, k):
    ax = figures[f"{family}_at_k_first_touch"].axes[0]
    blue = look("", "base").colour.lower()
    line = next(line for line in ax.lines if to_hex(line.get_color()) == blue)
    source = boards.source_of(run)
    settings = boards.settings_of(run, 10)
    from hebb_lab.evaluation.leaderboard import leaderboard

    one = leaderboard(source, replace(settings, measures=(f"{family}@{k}",), headline=()))
    value = one.rows.filter(task="first_touch", arm="half_life_7d")["value"].item()
    assert line.get_ydata()[list(line.get_xdata()).index(k)] == pytest.approx(value)


def test_half_lives_are_those_that_differ_in_nothing_else(run, rows):
    points = {p.arm: p.days for p in choose.half_life_points(run.arms, rows)}
    assert points == {"half_life_7d": 7.0, "half_life_1d": 1.0, "half_life_none": None}


def test_a_learned_half_life_is_not_no_decay():
    rules = {"half_life": "fixed", "half_life_personal_days": 7, "hops": 1}
    arms = {
        "fixed": {"parameters": {"half_life_days": 7, "rules": rules}},
        "none": {"parameters": {"half_life_days": None, "rules": {**rules, "half_life": "none"}}},
        "learned": {
            "parameters": {"half_life_days": None, "rules": {**rules, "half_life": "learned"}}
        },
        "hops": {"parameters": {"half_life_days": 7, "rules": {**rules, "hops": 2}}},
        "floor": {},
    }
    rows = {name: {"value": 0.5, "ci95": None, "base": "fixed"} for name in arms}
    assert [p.arm for p in choose.half_life_points(arms, rows)] == ["fixed", "none"]


def test_fitted_half_lives_have_no_place_among_the_stated_ones_and_are_lines_of_their_own():
    def arm(days, **more):
        return {"parameters": {"half_life": "fixed", "half_life_days": days, "hops": 1, **more}}

    fitted, row = {"fitted": {"run": "r"}}, {"value": 0.5, "ci95": [0.4, 0.6], "base": None}
    in_time = arm(0, **fitted, schedule=[{"from_us": 1}])
    del in_time["parameters"]["half_life_days"]
    arms = {
        "a": arm(7), "b": arm(9), "once": arm(3, **fitted), "in_time": in_time,
        "hops": arm(3, **fitted) | {"parameters": {**arm(3, **fitted)["parameters"], "hops": 2}},
        "doubted": {**arm(3, **fitted), "unidentified": ["personal"]},
    }  # fmt: skip
    rows = dict.fromkeys(arms, row) | {"doubted": {**row, "value": 0.3}}
    points = choose.half_life_points(arms, rows)
    assert [p.arm for p in points] == ["a", "b"]
    levels = choose.half_life_levels(arms, rows, points)
    assert [(level.arms, level.value) for level in levels] == [
        ("once,\nin_time", 0.5), ("doubted\n(not identifiable)", 0.3),
    ]  # fmt: skip


def test_failed_and_inert_arms_reach_the_forest_as_such(rows):
    effects = {effect.arm: effect for effect in choose.effects_of(rows)}
    assert effects["dense"].status == "failed"
    assert effects["potentiation_off"].inert
    assert not effects["power_law"].inert
    assert effects["power_law"].delta == rows["power_law"]["delta"]


def test_a_layers_run_names_its_own_base_and_has_no_forest_of_all_arms(run, board):
    layers = replace(run, result={**run.result, "kind": "layers", "base": "bm25"})
    shown = dict(gallery.of_run(layers, board, 10, effects_of(run, boards.settings_of(run, 10))))
    assert {name.removesuffix("_first_touch") for name in shown if "first_touch" in name} == {
        "any_at_k", "R_at_k", "budget",
    }  # fmt: skip
    for figure in shown.values():
        assert "bm25 (base)" in words(figure)
        assert "half_life_7d (base)" not in words(figure)
    assert {name.split("_")[0] for name, _ in gallery.of_macro(board, [layers], 10)} <= {"any", "R"}


def test_an_arm_with_another_base_says_so_in_the_forest(rows):
    groups = {effect.arm: effect.group for effect in choose.effects_of(rows)}
    assert groups["additive"] == "injection, Δ to bm25"
    assert groups["bm25"] == "floor"
    assert "half_life_7d" not in groups


def test_sets_of_parts_are_left_to_their_own_figure(rows, board):
    assert not set(synthetic.SETS) & set(rows)
    only = board.rows.filter(pl.col("group") == "attribution")
    from dataclasses import replace

    alone = choose.rows_of(replace(board, rows=only), "simulated", "first_touch", "any@10")
    assert set(alone) == set(synthetic.SETS)


def test_the_largest_sweep_of_half_lives_is_drawn():
    def arm(days, weight):
        return {"parameters": {"half_life_days": days, "event_weight": weight, "about": str(days)}}

    arms = {"base": arm(7, 0), "none": arm(None, 0), **{f"w{d}": arm(d, 1) for d in (1, 2, 3)}}
    rows = {name: {"value": 0.5, "ci95": None, "base": "base"} for name in arms}
    assert [p.arm for p in choose.half_life_points(arms, rows)] == ["w1", "w2", "w3"]
    del arms["w3"], rows["w3"]
    assert [p.arm for p in choose.half_life_points(arms, rows)] == ["base", "none"]


def test_recall_of_the_first_found_alone_is_any_of_all(run):
    from hebb_lab.evaluation.leaderboard import judgements_of

    scored = run.per_query.filter(task="first_touch")
    scored = scored.with_columns(grades=pl.col("grades").list.eval(pl.element() * 3))
    for k in (1, 5, 50):
        any_hit = parse(f"any@{k}")(judgements_of(scored))
        recall = parse(f"R@{k}")(judgements_of(choose.first_found(scored)))
        assert np.array_equal(any_hit, recall)


def test_budgets_span_what_answers_cost(run):
    scored = run.per_query.filter(task="first_touch")
    budgets = choose.budgets_of(scored)
    spent = scored["gold_tokens"].explode()
    assert budgets == sorted(set(budgets))
    assert budgets[-1] == spent.max()
    assert 0 < budgets[0] <= spent.filter(spent > 0).quantile(0.02)
    nothing = scored.with_columns(gold_tokens=pl.col("gold_tokens") * 0)
    assert len(choose.budgets_of(nothing)) >= 2


def test_a_run_in_which_every_arm_failed_has_no_figures(tmp_path):
    folder = synthetic.write_run(
        tmp_path, arms=("dense", "half_life_7d"), failed=("dense", "half_life_7d")
    )
    empty = read_run(folder)
    effects = effects_of(empty, boards.settings_of(empty, 10))
    assert list(gallery.of_run(empty, boards.board_of(empty, 10), 10, effects)) == []


def made_with(run, board, **columns):
    """The names of the figures when the rows of the run are changed."""
    run = read_run(run.folder)
    run.__dict__["per_query"] = run.per_query.with_columns(**columns)  # the cached one
    return {name for name, _ in gallery.of_run(run, board, 10)}


def test_recall_is_not_drawn_twice_where_every_query_has_one_relevant_node(run, board):
    lists = ("ranks", "grades", "gold_tokens", "optimistic", "pessimistic")
    names = made_with(run, board, **{name: pl.col(name).list.head(1) for name in lists})
    assert "any_at_k_first_touch" in names
    assert not any(name.startswith("R_at_k") for name in names)


def test_no_frame_stands_empty_where_nothing_is_found_or_one_node_is_returned(run, board):
    lone = made_with(run, board, returned=pl.lit(1, pl.Int32))
    assert not any("at_k" in name for name in lone)
    assert "budget_first_touch" in lone
    lost = made_with(run, board, ranks=pl.col("ranks").list.eval(pl.element() * 0))
    assert not any("at_k" in name or name.startswith("budget") for name in lost)


@pytest.fixture(scope="module")
def group(tmp_path_factory):
    root = tmp_path_factory.mktemp("group")
    named = {name: synthetic.write_run(root, name, arms=ARMS) for name in ("git:one", "git:two")}
    return [read_run(folder) for folder in named.values()]


@pytest.fixture(scope="module")
def means(group):
    return boards.macro_of(group, 50)


@pytest.fixture(scope="module")
def macro_figures(group, means):
    return dict(gallery.of_macro(means, group, 50))


def test_a_mean_over_data_sets_has_curves_and_a_forest_of_every_task(macro_figures):
    kinds = ("any_at_k", "R_at_k", "forest")
    assert set(macro_figures) == {f"{kind}_{task}" for kind in kinds for task in synthetic.TASKS}


def test_the_heading_of_a_mean_counts_the_data_sets_and_stays_inside(macro_figures):
    for figure in macro_figures.values():
        assert any("mean of 2 data sets · " in text for text in words(figure))
        assert any("n = 320 queries" in text for text in words(figure))
        assert outside(figure) == []


@pytest.mark.parametrize("family", ["any", "R"])
def test_the_macro_curve_of_the_base_goes_through_its_leaderboard_value(
    means, macro_figures, family
):
    ax = macro_figures[f"{family}_at_k_first_touch"].axes[0]
    blue = look("", "base").colour.lower()
    line = next(line for line in ax.lines if to_hex(line.get_color()) == blue)
    rows = means.rows.filter(task="first_touch", arm="half_life_7d", metric=f"{family}@10")
    value = rows["value"].item()
    assert line.get_ydata()[list(line.get_xdata()).index(10)] == pytest.approx(value)


def test_a_mean_without_an_arm_that_ran_everywhere_has_no_curves(tmp_path):
    arms = ("dense", "half_life_7d")
    folders = [synthetic.write_run(tmp_path, n, arms=arms, failed=arms) for n in ("a:b", "a:c")]
    runs = [read_run(folder) for folder in folders]
    assert list(gallery.of_macro(boards.macro_of(runs, 10), runs, 10)) == []
