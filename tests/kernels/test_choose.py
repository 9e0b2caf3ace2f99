"""Which back end runs, on what, and what is said about it."""

import logging
from dataclasses import replace

import pytest

from hebb_lab import device as devices
from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.kernels import choose
from hebb_lab.kernels.choose import BACKENDS, RUNS_ON, backend_named, choose_backend
from hebb_lab.kernels.reference.backend import kernels as reference_kernels

NO_DEVICE = ("no CUDA device", "Set runtime.device=auto")
NO_CUPY = ("CuPy is not installed", "Install the extra: pip install 'hebb_lab[gpu]'")
CPU_BUILD = ("torch is a CPU build", "python -m hebb_lab.doctor says how to get the other")
GIB = 2**30


@pytest.fixture
def asked(monkeypatch):
    """Let every back end be the reference under its own name; what each was made with."""
    made = {}

    def maker(name):
        def make(precision, memory_bytes, device):
            made[name] = (precision, memory_bytes, device)
            return replace(reference_kernels(), device=device, precision=precision)

        return make

    for name in BACKENDS:
        monkeypatch.setitem(BACKENDS._entries, name, maker(name))
    return made


@pytest.fixture
def machine(monkeypatch):
    """A machine of 16 GiB whose GPU, where it has one, has 80."""

    def set_up(cupy=None, torch=None):
        monkeypatch.setattr(devices, "cuda_problem", lambda: cupy or torch)
        monkeypatch.setattr(devices, "torch_problem", lambda: torch)

    memory = {"cpu": 16 * GIB, "cuda": 80 * GIB}
    monkeypatch.setattr(devices, "memory_bytes", memory.__getitem__)
    return set_up


@pytest.mark.parametrize("problem", [NO_DEVICE, NO_CUPY])
def test_auto_falls_back_to_the_processor_and_says_why(caplog, machine, asked, problem):
    machine(cupy=problem)
    with caplog.at_level(logging.INFO, "hebb_lab"):
        assert choose_backend().name == "cpu"
    assert caplog.messages == [
        "kernels: cpu on cpu, float64, at most 4,294 MB at a time"
        f" (auto falls back to cpu: {problem[0]})"
    ]


def test_auto_takes_cuda_where_cupy_and_a_device_are(caplog, machine, asked):
    machine()
    with caplog.at_level(logging.INFO, "hebb_lab"):
        assert choose_backend(precision="float32").name == "cuda"
    assert caplog.messages == [
        "kernels: cuda on cuda, float32, at most 21,474 MB at a time"
        " (auto takes cuda: CuPy and torch have a device)"
    ]
    assert asked == {"cuda": ("float32", 20 * GIB, "cuda")}


def test_auto_on_the_processor_does_not_look_for_a_device(machine, asked):
    machine()
    assert choose_backend(device="cpu").name == "cpu"


def test_auto_on_cuda_takes_torch_where_cupy_is_missing(caplog, machine, asked):
    machine(cupy=NO_CUPY)
    with caplog.at_level(logging.INFO, "hebb_lab"):
        assert choose_backend(device="cuda").name == "torch"
    assert asked["torch"][2] == "cuda"
    assert "auto falls back to torch: CuPy is not installed" in caplog.text


def test_auto_on_cuda_without_a_device_is_refused_not_replaced(machine, asked):
    machine(cupy=NO_DEVICE, torch=NO_DEVICE)
    with pytest.raises(ConfigError, match=r"runtime\.device=cuda.*no CUDA device.*Set runtime"):
        choose_backend(device="cuda")


@pytest.mark.parametrize(
    ("problem", "kind"), [(NO_DEVICE, ConfigError), (NO_CUPY, MissingExtraError)]
)
def test_cuda_asked_for_and_not_there_is_an_error_with_the_cure(machine, asked, problem, kind):
    machine(cupy=problem)
    with pytest.raises(kind) as caught:
        choose_backend("cuda")
    assert problem[0] in str(caught.value)
    cure = problem[1].replace("runtime.device=auto", "runtime.backend=auto")  # what was asked for
    assert cure in str(caught.value)


@pytest.mark.parametrize(
    ("device", "problem", "where"),
    [("auto", None, "cuda"), ("cpu", None, "cpu"), ("cuda", None, "cuda"),
     ("auto", CPU_BUILD, "cpu"), ("cpu", CPU_BUILD, "cpu")],
)  # fmt: skip
def test_torch_runs_where_it_is_told(machine, asked, device, problem, where):
    machine(torch=problem)
    assert choose_backend("torch", device).kernels.device == where
    assert asked["torch"][1] == (20 * GIB if where == "cuda" else 4 * GIB)


def test_torch_says_why_it_takes_the_processor(caplog, machine, asked):
    machine(torch=CPU_BUILD)
    with caplog.at_level(logging.INFO, "hebb_lab"):
        choose_backend("torch")
    assert "(as asked; auto falls back to cpu: torch is a CPU build)" in caplog.text


def test_torch_on_cuda_with_a_cpu_build_is_refused(machine, asked):
    machine(torch=CPU_BUILD)
    with pytest.raises(ConfigError, match=r"torch is a CPU build\. python -m hebb_lab\.doctor"):
        choose_backend("torch", "cuda")


@pytest.mark.parametrize(
    ("backend", "device"), [("cpu", "cuda"), ("reference", "cuda"), ("cuda", "cpu")]
)
def test_a_back_end_and_a_device_that_contradict_each_other_are_refused(
    machine, asked, backend, device
):
    machine()
    said = rf"runtime\.backend={backend} does not run on runtime\.device={device}\. Set runtime"
    with pytest.raises(ConfigError, match=said):
        choose_backend(backend, device)


def test_the_reference_has_one_precision():
    with pytest.raises(ConfigError, match=r"float64, not in float32\. Set runtime\.precision"):
        choose_backend("reference", precision="float32")


def test_an_unknown_back_end_lists_the_near_ones():
    with pytest.raises(ConfigError, match=r"unknown back end 'cpo'\. Did you mean 'cpu'"):
        choose_backend("cpo")


def test_an_unknown_device_or_precision_lists_the_known_ones():
    with pytest.raises(ConfigError, match="Use auto, cpu or cuda"):
        choose_backend(device="gpu")
    with pytest.raises(ConfigError, match="Use float64 or float32"):
        choose_backend(precision="float16")


@pytest.mark.parametrize("megabytes", [0, -1])
def test_no_memory_is_refused(megabytes):
    with pytest.raises(ConfigError, match=rf"runtime\.memory_mb={megabytes} is too small"):
        choose_backend("cpu", memory_mb=megabytes)


def test_memory_that_is_asked_for_is_what_a_back_end_may_take(machine, asked):
    machine(cupy=NO_DEVICE)
    backend_named("cpu", memory_mb=300)
    assert asked == {"cpu": ("float64", 300_000_000, "cpu")}


def test_every_back_end_says_where_it_runs_and_whether_it_can(machine):
    assert set(RUNS_ON) == set(BACKENDS)
    machine(cupy=NO_CUPY)
    problems = {name: choose.cannot_run(name) for name in BACKENDS}
    assert problems == {
        "cpu": None, "torch": None, "cuda": "CuPy is not installed", "reference": None,
    }  # fmt: skip
