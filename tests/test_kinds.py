"""Runs of every kind are read, told and reported by the parts of their kind."""

import json

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.kinds import KINDS, _part, kind_of
from hebb_lab.runs import read_run
from tests.runs import synthetic


@pytest.mark.parametrize("name", KINDS)
def test_every_part_of_a_kind_is_there(name):
    kind = KINDS[name]
    for part in (
        kind.execute_by, kind.tell_by, kind.headline_by, kind.report_by, kind.overall_by,
    ):  # fmt: skip
        assert callable(_part(part))


def test_a_run_without_a_kind_is_an_ablation():
    assert kind_of({}) is KINDS["ablation"]


def test_an_unknown_kind_lists_the_near_ones():
    with pytest.raises(ConfigError, match=r"unknown kind of run 'ablations'\. Did you mean"):
        kind_of({"kind": "ablations"})


def test_a_run_of_a_kind_that_this_version_does_not_know_is_named(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=("random",), failed=())
    result = json.loads((folder / "result.json").read_text())
    (folder / "result.json").write_text(json.dumps({**result, "kind": "weather"}))
    with pytest.raises(InputError, match=r"unknown kind of run 'weather'\. Read it with the"):
        read_run(folder)


def test_a_half_life_run_needs_its_own_parts(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=("random",), failed=())
    result = json.loads((folder / "result.json").read_text())
    (folder / "result.json").write_text(json.dumps({**result, "kind": "halflife"}))
    with pytest.raises(InputError, match="lacks models, blocks, horizons, settings"):
        read_run(folder)
