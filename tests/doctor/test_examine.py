import json

import pytest

from hebb_lab.doctor import examine as module
from hebb_lab.doctor.kernel import KernelRun
from hebb_lab.doctor.packages import Extra, Part
from hebb_lab.kernels.choose import BACKENDS
from tests.doctor.example import conflict, findings


def test_a_missing_base_package_breaks_the_base():
    assert not findings(base=[Part("numpy", ">=2", None, "missing")]).base_works


def test_a_wrong_kernel_breaks_the_base():
    assert not findings(kernels=[KernelRun("cpu", "cpu", 0.5, 1.0, "differs")]).base_works


def test_missing_extras_and_conflicts_leave_the_base_working():
    assert findings(conflicts=[conflict()]).base_works


def test_the_findings_survive_json():
    values = json.loads(json.dumps(findings().as_json()))
    assert values["base_works"] is True
    assert values["extras"][0]["installed"] is False
    assert values["extras"][0]["parts"][0]["name"] == "a-model"


def test_a_back_end_that_cannot_run_here_leaves_the_base_working():
    missing = KernelRun("cuda", None, 0.0, None, None, "no CUDA device")
    assert findings(kernels=[missing]).base_works


@pytest.mark.parametrize(("brief", "ran"), [(True, ["cpu"]), (False, list(BACKENDS))])
def test_every_back_end_is_looked_at_and_in_brief_that_of_the_processor(monkeypatch, brief, ran):
    monkeypatch.setattr(module, "run_kernel", lambda name: KernelRun(name, "x", 0.0, 0.0, None))
    assert [run.backend for run in module.examine(brief).kernels] == ran


def test_the_sentence_model_is_there_when_its_extra_is_whole():
    whole = Extra("embed", (Part("a-model", "", "0.1", None),), "")
    assert module.embedding_model([whole]) == "all-MiniLM-L6-v2"
    assert module.embedding_model(findings().extras) is None
