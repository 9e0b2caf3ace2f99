import os
import subprocess
import sys
from types import SimpleNamespace

from hebb_lab.doctor import machine


def test_the_facts_are_those_of_this_machine():
    facts = machine.machine()
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))
    assert 1 <= facts["cores"] <= os.cpu_count()
    if facts["memory_free_bytes"] is not None:  # macOS does not say
        assert 0 < facts["memory_free_bytes"] < facts["memory_bytes"]


def test_without_the_vendors_command_there_is_no_driver(monkeypatch):
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    assert machine.nvidia_driver() is None


def test_the_driver_is_that_of_the_first_gpu(monkeypatch):
    monkeypatch.setattr(machine.shutil, "which", lambda name: name)
    answer = SimpleNamespace(stdout="580.65.06\n580.65.06\n")
    monkeypatch.setattr(machine.subprocess, "run", lambda *args, **options: answer)
    assert machine.nvidia_driver() == "580.65.06"


def test_a_driver_that_does_not_answer_is_none(monkeypatch):
    def hang(command, **options):
        raise subprocess.TimeoutExpired(command, 20)

    monkeypatch.setattr(machine.shutil, "which", lambda name: name)
    monkeypatch.setattr(machine.subprocess, "run", hang)
    assert machine.nvidia_driver() is None


def test_a_torch_that_does_not_load_leaves_the_rest_known(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    found = machine.devices()
    assert (found["torch_built_for_cuda"], found["torch_gpus"]) == (None, [])
    assert set(found) >= {"driver", "cupy", "faiss", "faiss_gpus"}
