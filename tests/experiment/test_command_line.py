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
