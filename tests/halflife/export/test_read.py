"""What is no file of half-lives is refused with a sentence that says what it is."""

import json
from pathlib import Path

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.halflife.export import read_half_lives, write_exports
from hebb_lab.halflife.export.fitted import GroupHalfLife
from tests.halflife.export.made import MOMENTS, NOTHING, estimate, frailty, model, result

AT = MOMENTS[0]


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "halflife" / "0123456789ab"
    folder.mkdir(parents=True)
    write_exports(result(), folder)
    return folder


def changed(run, old, new):
    file = run / "half_lives.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return run


def test_a_tilde_and_spaces_in_the_path_work(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    run.rename(tmp_path / "my runs")
    assert read_half_lives("~/my runs").run == "halflife/0123456789ab"


def test_a_relative_path_is_relative_to_the_working_folder(run, monkeypatch):
    monkeypatch.chdir(run.parents[2])
    assert read_half_lives("runs/halflife/0123456789ab").default == "frailty"


def test_a_path_of_nothing_is_no_run(tmp_path):
    with pytest.raises(InputError, match=r"there is no such run\. Give the folder of a run"):
        read_half_lives(tmp_path / "nothing")


def test_a_folder_of_runs_names_the_runs_in_it(run):
    with pytest.raises(InputError, match=r"is no finished run\. Give one of .*: 0123456789ab"):
        read_half_lives(run.parent)


def test_any_other_folder_is_no_run(tmp_path):
    with pytest.raises(InputError, match=r"is no finished run\. Give the folder of a run of"):
        read_half_lives(tmp_path)


def test_a_run_that_is_being_written_is_named_so(tmp_path):
    folder = tmp_path / "0123456789ab.partial"
    folder.mkdir()
    with pytest.raises(InputError, match=r"is no finished run\. Let the run finish first"):
        read_half_lives(folder)


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ({}, "is a run of kind ablation, which fits no half-lives"),
        ({"kind": "ablation"}, "is a run of kind ablation"),
        ({"kind": "halflife"}, r"the run has no half_lives\.yaml"),
    ],
)
def test_a_run_without_half_lives_is_named_by_its_kind(tmp_path, kind, problem):
    (tmp_path / "result.json").write_text(json.dumps({"experiment": "ablation", **kind}))
    with pytest.raises(InputError, match=problem):
        read_half_lives(tmp_path)


def test_another_format_is_quoted(run):
    with pytest.raises(InputError, match="of the format 'hebb_lab half-lives 2', and this version"):
        read_half_lives(changed(run, "half-lives 1", "half-lives 2"))


@pytest.mark.parametrize("text", ["", "half-lives", "- 1\n- 2\n", "a: 1\n", "7"])
def test_a_file_that_says_no_format_is_refused(tmp_path, text):
    (tmp_path / "half_lives.yaml").write_text(text)
    with pytest.raises(InputError, match=r"says no format|is damaged"):
        read_half_lives(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("run: halflife", "ran: halflife", "run is missing"),
        ("half_life: 0.36", "half_life: -0.36", "half_life is -0.36, which is no half-life"),
        ("half_life: 0.36", "half_life: .inf", "half_life is inf, which is no half-life"),
        ("half_life: 0.36", "half_life: .nan", "half_life is nan, which is no half-life"),
        ("half_life: 0.36", "half_life: soon", "half_life is 'soon', which is no half-life"),
        ("half_life: 0.36", "half_life: true", "half_life is True, which is no half-life"),
        (f"until_us: {AT}", f"until_us: {AT + 9000}", "splits.1..until_us is .* order of time"),
        (f"until_us: {AT}", "until_us: then", "splits.0..until_us is 'then', no whole number"),
        (f"until_us: {AT}", "until_us: -99", "splits.0..until_us is -99, and µs since 1970 of a"),
        (f"until_us: {AT}", f"until_us: {AT}000", "splits.0..until_us is .*, and µs since 1970"),
        ("half_life: 0.36", "half_life: 1.0e+300", "half_life is 1e.300, and half-lives are fit"),
        ("half_life: 0.36", "half_life: 1.0e-300", "half_life is 1e-300, and .* from 0.02 to 2000"),
        ("low: 0.28", "low: 5000", "final.groups.personal.low is 5000, above its half_life, 0.36"),
        ("high: 0.42", "high: 0.3", "personal.half_life is 0.36, above its high, 0.3"),
        ("events: 13033", "events: -7", "personal.events is -7, no count of re-activations"),
        ("events: 13033", "events: 7.5", "personal.events is 7.5, no count of re-activations"),
        ("learning_rate: 0.3", "learning_rate: lots", "rules.learning_rate='lots' is not of type"),
        (
            "learning_rate: 0.3",
            "learning_rat: 0.3",
            "learning_rat is no .*: did you mean learning_",
        ),
        ("learning_rate: 0.3", "zzz: 0.3", "rules.zzz is no switch of the rules"),
        ("model: frailty", "model: basis", "model basis has no half-lives"),
        ("    splits:", "    splits: [", "the file is damaged"),
        ("seed: 0", "seed: [0]", "the file is damaged"),
    ],
)
def test_a_damaged_file_is_refused_with_what_is_wrong_in_it(run, old, new, why):
    with pytest.raises(InputError, match=why):
        read_half_lives(changed(run, old, new))


def test_of_a_damaged_file_the_run_makes_another_where_it_lies_in_one_and_else_the_file_is_named(
    run, tmp_path
):
    changed(run, "half_life: 0.36", "half_life: -1")
    loose = tmp_path / "mine.yaml"
    loose.write_text((run / "half_lives.yaml").read_text())
    with pytest.raises(
        InputError, match=r"\. Mend mine\.yaml, or copy it again from the folder of"
    ):
        read_half_lives(loose)
    (run / "result.json").write_text("{}")
    with pytest.raises(InputError, match=r"\. Delete that run folder and run it again"):
        read_half_lives(run)


def test_what_lies_on_the_ends_of_what_is_fitted_is_read(tmp_path):
    ends = {"a": estimate(0.02, 0.02, 0.03), "b": estimate(2000.0, 1.0, 2000.0)}
    entry = model("frailty", {f"half_life[{name}]": end for name, end in ends.items()})
    write_exports(result(entry), tmp_path)
    found = read_half_lives(tmp_path).model().final.groups
    assert (found["a"].half_life, found["b"].half_life) == (0.02, 2000.0)


def test_a_file_of_bytes_that_are_no_text_is_damaged(run):
    (run / "half_lives.yaml").write_bytes(b"\xff\xfe\x00format")
    with pytest.raises(InputError, match="the file is damaged"):
        read_half_lives(run)


def test_an_unknown_model_lists_the_near_ones(run):
    with pytest.raises(ConfigError, match=r"a model 'fraility'\. Did you mean 'frailty'\?"):
        read_half_lives(run).model("fraility")


def test_without_any_half_life_the_verdicts_say_why(tmp_path):
    hopeless = model("frailty", {"half_life[personal]": NOTHING})
    write_exports(result(hopeless), tmp_path)
    with pytest.raises(
        ConfigError, match=r"no learned model of .* has .* its log identifies .not identif"
    ):
        read_half_lives(tmp_path).model()


def test_a_run_of_models_without_half_lives_says_so(tmp_path):
    write_exports(result(model("rate", {"shape": estimate(1.0)})), tmp_path)
    fitted = read_half_lives(tmp_path)
    with pytest.raises(ConfigError, match="no learned model of halflife/0123456789ab has a"):
        fitted.model()
    with pytest.raises(ConfigError, match=r"of a model 'frailty'\. Known: none"):
        fitted.model("frailty")


def test_the_hash_is_that_of_the_content(run):
    before = read_half_lives(run).sha256
    assert read_half_lives(changed(run, "half_life: 0.36", "half_life: 0.37")).sha256 != before


def test_names_of_groups_may_hold_any_sign(tmp_path):
    entry = model("frailty", {"half_life[branch:fix/a b: #1]": estimate(2.0, 1.0, 3.0)})
    write_exports(result(entry, frailty() | {"arm": "hierarchical"}), tmp_path)
    assert list(read_half_lives(tmp_path).model().final.groups) == ["branch:fix/a b: #1"]


def test_a_file_lies_where_it_lies(run):
    assert Path(run / "half_lives.yaml").is_file()
    assert read_half_lives(run / "half_lives.yaml") == read_half_lives(run)


def test_a_half_life_is_said_with_its_interval_and_what_stands_behind_it():
    assert GroupHalfLife(None, None, None, 3, "too few").words() == "none (too few)"
    assert GroupHalfLife(2.0, 1.0, 4.5, 1200).words("sessions") == (
        "2 sessions [1, 4.5], from 1,200 re-activations"
    )
