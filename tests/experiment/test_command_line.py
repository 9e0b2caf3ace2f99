"""Paths as people write them."""

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from hebb_lab.experiment.command_line import with_plain_paths


def parsed(argument):
    return OverridesParser.create().parse_override(with_plain_paths(argument))


@pytest.mark.parametrize(
    "path",
    [
        "logs/a.jsonl", "/data/my logs/täglich 1.tsv", "C:\\logs\\new", 'a"b', "a=b&c;d", "a'b",
        "-x/y", "日本/ログ",
    ],
)  # fmt: skip
def test_any_path_without_list_signs_arrives_as_it_is(path):
    assert parsed(f"dataset.path={path}").value() == path


def test_a_tilde_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert parsed("dataset.path=~/.claude/projects").value() == "/home/me/.claude/projects"
    assert parsed("+paths.runs=~/runs").value() == "/home/me/runs"


def test_a_sweep_over_paths_stays_a_sweep():
    assert parsed("dataset.path=a,b").is_sweep_override()


@pytest.mark.parametrize(
    "argument", ["+exp=ablation", "-m", "rules.hops=1", 'dataset.path="a b"', "dataset.path=null"]
)
def test_other_arguments_stay_as_they_are(argument):
    assert with_plain_paths(argument) == argument


REFERENCES = (
    "@runs/halflife/0123", "@~/my runs/0123#frailty", "@C:\\runs\\new", "@a=b/0123",
    "@/täglich #2/x",
)  # fmt: skip


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("key", ["rules.half_life", "+rules.half_life", "arms.a.rules.half_life"])
def test_a_reference_to_fitted_half_lives_arrives_as_it_is(key, reference):
    assert parsed(f"{key}={reference}").value() == reference


def test_an_arm_that_is_given_fitted_half_lives_is_made_where_there_is_none():
    assert parsed("arms.mine.rules.half_life=@x").is_force_add()
    assert not parsed("arms.mine.rules.half_life=fixed").is_force_add()
    assert not parsed("rules.half_life=@x").is_force_add()


def test_references_and_words_can_be_swept():
    swept = parsed("rules.half_life=fixed,@runs/a#basis,@my runs/b")
    assert swept.is_sweep_override()
    values = [each if isinstance(each, str) else each.text for each in swept.value().list]
    assert values == ["fixed", "@runs/a#basis", "@my runs/b"]


def test_a_reference_that_is_quoted_already_stays():
    argument = 'rules.half_life="@my runs/0123"'
    assert with_plain_paths(argument) == argument
