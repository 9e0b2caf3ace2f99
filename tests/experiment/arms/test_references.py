"""A reference to a half-life run becomes switches of the rules, or a sentence on why it cannot."""

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.experiment.arms.references import (
    REPLAYED,
    SWITCHES,
    Doubt,
    by_content,
    fit_of,
    is_reference,
    split_reference,
)
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.halflife.export import write_exports
from tests.experiment.arms.made import DAYS, EARLY, LAST, LATE, fitted_run, half_lives
from tests.halflife.export.made import MOMENTS, NOTHING, ONE_END, model, result


@pytest.mark.parametrize(
    ("reference", "path", "model"),
    [
        ("@runs/halflife/0123", "runs/halflife/0123", None),
        ("@runs/halflife/0123#basis", "runs/halflife/0123", "basis"),
        ("@my runs #2/0123", "my runs #2/0123", None),
        ("@my runs #2/0123#basis", "my runs #2/0123", "basis"),
        ("@C:\\runs#2\\new", "C:\\runs#2\\new", None),
        ("@a#", "a", ""),
    ],
)
def test_a_reference_is_a_path_and_perhaps_a_model(reference, path, model):
    assert is_reference(reference)
    assert split_reference(reference) == (path, model)


@pytest.mark.parametrize("value", ["fixed", "none", None, 7, True])
def test_other_half_lives_are_no_references(value):
    assert not is_reference(value)


def test_half_lives_of_namespaces_become_the_switches_of_the_rules(tmp_path):
    final = half_lives(personal=0.4, shared=9.0)
    splits = [(EARLY, half_lives(personal=0.5)), (LATE, half_lives(personal=0.6, ephemeral=0.1))]
    fit = fit_of(f"@{fitted_run(tmp_path, final, splits)}")
    assert fit.final == {DAYS.format("personal"): 0.4, DAYS.format("shared"): 9.0}
    assert [(split.until_us, split.switches) for split in fit.splits] == [
        (EARLY, {DAYS.format("personal"): 0.5}),
        (LATE, {DAYS.format("personal"): 0.6, DAYS.format("ephemeral"): 0.1}),
    ]
    assert fit.title == "frailty of halflife/0123456789ab"


def test_a_split_without_a_half_life_is_no_fit_and_is_told(tmp_path):
    splits = [(EARLY, "too few cases"), (LATE, half_lives(personal=0.6)), (LAST, {})]
    fit = fit_of(f"@{fitted_run(tmp_path, half_lives(personal=0.4), splits)}")
    assert [split.until_us for split in fit.splits] == [LATE]
    title = "frailty of halflife/0123456789ab"
    assert fit.sentences[-2:] == (
        f"{title}: fit 1 of 3 is none: too few cases",
        f"{title}: fit 3 of 3 is none: no half-life of a namespace is identifiable there",
    )


def test_every_half_life_is_told_and_so_is_every_namespace_without_one(tmp_path):
    final = {**half_lives(personal=0.4, **{"branch:fix": 2.0}), "half_life[shared]": NOTHING}
    said = fit_of(f"@{fitted_run(tmp_path, final)}").sentences
    title = "frailty of halflife/0123456789ab"
    assert said == (
        f"{title}: personal: 0.4 days [0.2, 0.8], from 100 re-activations",
        f"{title}: branch:fix: 2 days [1, 4], from 100 re-activations",
        f"{title}: the rules have no half-life for branch:fix: it takes that of personal",
        f"{title}: shared: none (not identifiable: no half-life is better than another)",
        f"{title}: no half-life of shared, ephemeral: the rules' own stays",
    )


def test_a_model_may_be_named(tmp_path):
    folder = fitted_run(tmp_path, half_lives(personal=3.0), arm="basis")
    assert fit_of(f"@{folder}#basis").model == "basis"
    with pytest.raises(ConfigError, match="Did you mean 'basis'"):
        fit_of(f"@{folder}#bases")


@pytest.mark.parametrize("reference", ["@", "@#basis", "@runs/halflife/0123#"])
def test_half_a_reference_is_refused(reference):
    with pytest.raises(ConfigError, match="names no half-life run"):
        fit_of(reference)


def test_a_reference_to_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no such run"):
        fit_of(f"@{tmp_path}/nothing")


@pytest.mark.parametrize(
    ("changed", "problem", "cure"),
    [
        ({"clock": "sessions"}, "counted in sessions", r"halflife\.clock=wall"),
        ({"clock": "active_days"}, "counted in active days", r"halflife\.clock=wall"),
        ({"group_by": "folder"}, "those of each folder", r"halflife\.group_by=namespace"),
    ],
)
def test_half_lives_that_the_rules_have_no_place_for_are_refused(tmp_path, changed, problem, cure):
    folder = fitted_run(tmp_path, half_lives(personal=3.0), **changed)
    with pytest.raises(ConfigError, match=f"{problem}.*{cure}"):
        fit_of(f"@{folder}")


def test_a_misspelt_namespace_is_refused_with_those_that_the_rules_know(tmp_path):
    folder = fitted_run(tmp_path, half_lives(persnal=2.0))
    known = (
        r"it has persnal\)\. Did you mean personal\? The rules know personal, shared, ephemeral\.$"
    )
    with pytest.raises(ConfigError, match=known):
        fit_of(f"@{folder}")


def test_half_lives_that_the_log_does_not_tell_are_doubts_and_name_the_models_that_have_one(
    tmp_path,
):
    open_above = {"half_life[personal]": ONE_END}
    told = half_lives(personal=3.0)
    doubtful = model("frailty", {**open_above, "half_life[shared]": NOTHING}, [told, open_above])
    sure = model("basis", told, [open_above, told])
    write_exports(result(doubtful, sure), tmp_path)
    fit = fit_of(f"@{tmp_path}")
    assert fit.model == "frailty"
    switch, verdict = DAYS.format("personal"), ONE_END["verdict"]
    assert fit.doubts == (
        Doubt(switch, "personal", 200.0, verdict, None, ("basis",)),
        Doubt(switch, "personal", 200.0, verdict, MOMENTS[1], ("basis",)),
    )
    assert fit_of(f"@{tmp_path}#basis").doubts[0].until_us == MOMENTS[0]


def test_a_fit_of_branches_alone_is_refused(tmp_path):
    folder = fitted_run(tmp_path, half_lives(**{"branch:fix": 2.0}))
    with pytest.raises(ConfigError, match="no half-life of a namespace that the rules know"):
        fit_of(f"@{folder}")


def test_in_a_runs_id_a_reference_counts_by_what_it_holds(tmp_path):
    one = fitted_run(tmp_path / "one", half_lives(personal=3.0))
    two = fitted_run(tmp_path / "two" / "elsewhere", half_lives(personal=3.0))
    other = fitted_run(tmp_path / "other", half_lives(personal=4.0))

    def named(reference):
        return by_content(
            {"rules": {"half_life": reference, "hops": 1}, "arms": {"a": {"rules": {}}}, "x": [1]}
        )

    assert named(f"@{one}") == named(f"@{two}") == named(f"@{two}#frailty")
    assert named(f"@{one}") != named(f"@{other}")
    assert named("fixed") == {
        "rules": {"half_life": "fixed", "hops": 1}, "arms": {"a": {"rules": {}}}, "x": [1],
    }  # fmt: skip
    in_an_arm = by_content({"arms": {"a": {"rules": {"half_life": f"@{one}"}}}})
    assert str(tmp_path) not in str(in_an_arm)


def test_switches_are_those_of_the_rules():
    assert {*REPLAYED, *SWITCHES.values()} <= set(vars(DOCUMENTED))
