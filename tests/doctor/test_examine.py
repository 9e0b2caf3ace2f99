import json

import pytest

from hebb_lab.doctor import examine as module
from hebb_lab.doctor.kernel import KernelRun
from hebb_lab.doctor.packages import Extra, Part
from tests.doctor.example import conflict, findings


def test_a_missing_base_package_breaks_the_base():
    assert not findings(base=[Part("numpy", ">=2", None, "missing")]).base_works


def test_a_wrong_kernel_breaks_the_base():
    assert not findings(kernels=[KernelRun("cpu", "numba", 0.5, 1.0, "differs")]).base_works


def test_missing_extras_and_conflicts_leave_the_base_working():
    assert findings(conflicts=[conflict()]).base_works


def test_the_findings_survive_json():
    values = json.loads(json.dumps(findings().as_json()))
    assert values["base_works"] is True
    assert values["extras"][0]["installed"] is False
    assert values["extras"][0]["parts"][0]["name"] == "a-model"


@pytest.mark.parametrize(("cupy", "ran"), [(False, ["cpu"]), (True, ["cpu", "cuda"])])
def test_a_kernel_runs_on_each_device_that_is_there(monkeypatch, cupy, ran):
    devices = module.machine.devices() | {"cupy": cupy}
    monkeypatch.setattr(module.machine, "devices", lambda: devices)
    monkeypatch.setattr(module, "run_kernel", lambda name: KernelRun(name, "x", 0.0, 0.0, None))
    assert [run.device for run in module.examine().kernels] == ran


def test_the_sentence_model_is_there_when_its_extra_is_whole():
    whole = Extra("embed", (Part("a-model", "", "0.1", None),), "")
    assert module.embedding_model([whole]) == "all-MiniLM-L6-v2"
    assert module.embedding_model(findings().extras) is None
