"""half_lives.yaml says what was fitted, to what, and what the log does not say."""

import pytest

from hebb_lab.halflife.export import read_half_lives, write_exports
from hebb_lab.halflife.export.half_lives import groups_of, half_lives_of
from hebb_lab.runs.identity import code_version
from tests.halflife.export.made import MOMENTS, NOTHING, ONE_END, estimate, frailty, model, result

RATE = model("rate", {"shape": estimate(1.0)})


def test_the_file_has_the_keys_that_its_format_promises():
    found = half_lives_of(result())
    assert found["format"] == "hebb_lab half-lives 1"
    assert list(found) == [
        "format", "run", "commit", "code_version", "seed", "dataset", "clock", "unit", "activity",
        "group_by", "rules", "model", "models", "end",
    ]  # fmt: skip
    assert found["run"] == "halflife/0123456789ab"
    assert found["code_version"] == code_version()
    assert found["dataset"] == {"name": "table:log", "sha256": "d" * 64}
    assert found["models"].keys() == {"frailty"}
    assert found["models"]["frailty"].keys() == {"final", "splits"}


def test_what_is_written_is_what_is_read(tmp_path):
    made = result(frailty(), RATE)
    assert write_exports(made, tmp_path) == ["half_lives.yaml", "synapse_store.json"]
    for path in (tmp_path, tmp_path / "half_lives.yaml"):
        fitted = read_half_lives(path)
        told = half_lives_of(made)
        assert (fitted.run, fitted.default, fitted.clock) == (told["run"], "frailty", "wall")
        assert (fitted.dataset_sha256, fitted.rules) == ("d" * 64, made["rules"])
        groups = fitted.model().final.groups
        assert {name: vars(group) for name, group in groups.items()} == (
            told["models"]["frailty"]["final"]["groups"]
        )
        first, second = fitted.model("frailty").splits
        assert (first.until_us, first.groups["personal"].half_life) == (MOMENTS[0], 0.5)
        assert (second.until_us, second.groups) == (MOMENTS[1], {})
        assert second.fell_back.startswith("2 re-activations")


def test_the_same_result_is_written_to_the_same_bytes(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        write_exports(result(), tmp_path / name)
    for name in ("half_lives.yaml", "synapse_store.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert read_half_lives(tmp_path / "a").sha256 == read_half_lives(tmp_path / "b").sha256


def test_only_the_half_lives_in_use_are_handed_on():
    found = groups_of(frailty()["final"]["parameters"])
    assert list(found) == ["personal", "shared", "ephemeral"]


def test_a_half_life_that_nothing_bounds_is_handed_on_as_a_verdict_alone():
    found = groups_of(frailty()["final"]["parameters"])
    assert found["ephemeral"]["half_life"] is None
    assert found["ephemeral"]["verdict"].startswith("not identifiable")
    assert found["ephemeral"]["events"] == 40


def test_a_half_life_that_is_bounded_on_one_side_keeps_its_value_and_its_verdict():
    shared = groups_of(frailty()["final"]["parameters"])["shared"]
    assert (shared["half_life"], shared["low"], shared["high"]) == (200.0, 90.0, None)
    assert shared["verdict"] == "not identifiable above 90 days on this log"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (estimate(4.0), 4.0),  # a model without intervals
        (estimate(4.0, 0.0, 9.0, 5, "not identifiable below 9 days on this log"), 4.0),
        (estimate(4.0, None, None, 3, "only 3 re-activations: that of the others is used"), None),
        (estimate(None, None, None, 3, "only 3 re-activations: no estimate"), None),
    ],
)
def test_a_value_without_support_is_left_out(given, value):
    assert groups_of({"half_life[a]": given})["a"]["half_life"] == value


def test_a_group_of_which_nothing_is_said_is_no_entry():
    assert groups_of({"half_life[a]": estimate(None)}) == {}


def test_a_split_in_which_the_model_fell_back_has_no_half_lives_of_its_own():
    borrowed = frailty()
    borrowed["splits"][1]["parameters"] = {"half_life[personal]": estimate(30.0)}
    split = half_lives_of(result(borrowed))["models"]["frailty"]["splits"][1]
    assert (split["groups"], bool(split["fell_back"])) == ({}, True)


def test_the_default_is_the_frailty_model_wherever_it_stands():
    other = model("hierarchical", {"half_life[personal]": estimate(3.0, 2.0, 4.0)})
    assert half_lives_of(result(other, frailty()))["model"] == "frailty"


def test_without_it_the_default_is_the_first_learned_model_that_has_a_half_life():
    value = {"half_life[personal]": estimate(3.0, 2.0, 4.0)}
    models = [
        model("frailty", {"half_life[personal]": NOTHING}),
        model("fixed", value),
        model("hierarchical", value),
    ]
    assert half_lives_of(result(*models))["model"] == "hierarchical"
    assert half_lives_of(result(*models[:2]))["model"] is None


def test_a_model_whose_half_lives_the_log_does_not_identify_is_no_default_in_place_of_another():
    nothing = model("frailty", {"half_life[personal]": NOTHING})
    bound = model("empirical_bayes", {"half_life[personal]": ONE_END})
    known = model("hierarchical", {"half_life[personal]": estimate(3.0, 2.0, 4.0)})
    assert half_lives_of(result(nothing, bound))["model"] is None
    assert half_lives_of(result(nothing, bound, known))["model"] == "hierarchical"
    only_frailty = model("frailty", {"half_life[personal]": ONE_END})
    assert half_lives_of(result(only_frailty, known))["model"] == "frailty"


@pytest.mark.parametrize("value", [None, float("nan")])
def test_a_group_without_an_estimate_has_its_verdict_and_no_value(value):
    said = estimate(value, 2.0, None, 7, "not identifiable above 2 days on this log")
    group = groups_of({"half_life[a]": said})["a"]
    assert (group["half_life"], group["verdict"]) == (None, said["verdict"])


@pytest.mark.parametrize("status", ["skipped", "failed"])
def test_a_model_that_did_not_run_has_no_half_lives(status):
    entry = {"arm": "frailty", "status": status}
    found = half_lives_of(result(entry, RATE))
    assert (found["models"], found["model"]) == ({}, None)
