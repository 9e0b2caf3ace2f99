import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab import device as devices
from hebb_lab.doctor import kernel
from hebb_lab.kernels.choose import BACKENDS, backend_named, cannot_run


def spoil(monkeypatch, **parts):
    """Let the back end ``cpu`` compute something else."""
    cpu = backend_named("cpu")
    broken = dataclasses.replace(cpu, kernels=dataclasses.replace(cpu.kernels, **parts))
    known = {"cpu": broken, "reference": backend_named("reference")}
    monkeypatch.setattr("hebb_lab.kernels.choose.backend_named", known.__getitem__)


def altered_replay(change):
    replay = backend_named("cpu").kernels.replay
    return lambda *inputs: change(replay(*inputs))


def altered_walk(method, change):
    ready = backend_named("cpu").kernels.walk

    def walk(*arguments):
        walker = ready(*arguments)

        def altered(*asked):
            found = getattr(walker, method)(*asked)
            return found._replace(scores=change(found.scores))

        methods = {name: getattr(walker, name) for name in ("spread", "personalised_pagerank")}
        return SimpleNamespace(**methods | {method: altered})

    return walk


def test_the_back_end_of_every_run_agrees_with_the_reference():
    run = kernel.run_kernel("cpu")
    assert (run.problem, run.missing, run.device) == (None, None, "cpu")
    assert run.largest_error <= kernel.VISIT_TOLERANCE


@pytest.mark.parametrize("name", [name for name in BACKENDS if cannot_run(name) is None])
def test_every_back_end_that_can_run_here_agrees_with_the_reference(name):
    run = kernel.run_kernel(name)
    assert (run.problem, run.missing) == (None, None)
    assert run.device


def test_a_back_end_that_cannot_run_here_says_why_and_is_no_problem(monkeypatch):
    monkeypatch.setattr(devices, "cuda_problem", lambda: ("no CUDA device", "cure"))
    run = kernel.run_kernel("cuda")
    assert (run.missing, run.problem, run.device) == ("no CUDA device", None, None)


def test_the_made_graph_gives_the_kernels_something_to_do():
    _, weights, energies, visits = kernel._on_backend("reference")
    assert weights.shape[1] == 2
    assert (weights > 0).mean() > 0.9
    assert not np.allclose(weights[:, 0], weights[:, 1])  # documented and observed rules part
    assert (energies > 0.01).mean() > 0.5
    assert energies.max() < 10  # so that float32 is good to the tolerance
    assert (visits > 0.001).mean() > 0.5
    assert (visits > 10 * kernel.VISIT_TOLERANCE).any(axis=2).all()


@pytest.mark.parametrize("error", [1e-9, np.nan])
def test_a_wrong_weight_is_found_out(monkeypatch, error):
    replay = altered_replay(lambda state: state._replace(weight=state.weight + error))
    spoil(monkeypatch, replay=replay)
    assert "weights differ from the reference" in kernel.run_kernel("cpu").problem


@pytest.mark.parametrize("factor", [1.001, np.nan])
def test_a_wrong_energy_is_found_out(monkeypatch, factor):
    spoil(monkeypatch, walk=altered_walk("spread", lambda scores: scores * np.float32(factor)))
    run = kernel.run_kernel("cpu")
    assert "energies differ from the reference" in run.problem
    assert not run.largest_error <= kernel.SCORE_TOLERANCE


def test_a_wrong_walk_is_found_out(monkeypatch):
    def more(scores):
        return scores * np.float32(1.01)

    spoil(monkeypatch, walk=altered_walk("personalised_pagerank", more))
    assert "visits differ from the reference" in kernel.run_kernel("cpu").problem


def test_a_compiler_that_fails_is_a_finding_of_one_line(monkeypatch):
    def fail(*arguments):
        raise RuntimeError("no compiler\nand more")

    spoil(monkeypatch, replay=fail)
    run = kernel.run_kernel("cpu")
    assert (run.problem, run.largest_error) == ("RuntimeError: no compiler", None)
