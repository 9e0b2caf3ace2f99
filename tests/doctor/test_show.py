import io

from rich.console import Console

from hebb_lab.doctor.kernel import KernelRun
from hebb_lab.doctor.packages import Part
from hebb_lab.doctor.show import show
from tests.doctor.example import LONG_COMMAND, conflict, findings


def shown(found):
    pipe = io.StringIO()
    show(found, Console(file=pipe))
    return pipe.getvalue()


def test_a_pipe_gets_no_control_codes():
    assert "\x1b" not in shown(findings(conflicts=[conflict()]))


def test_a_command_stands_on_one_line():
    assert LONG_COMMAND.strip() in shown(findings())


def test_brackets_are_text_and_not_markup():
    assert "two [builds] of faiss" in shown(findings(conflicts=[conflict()]))


def test_the_last_line_is_the_verdict():
    assert shown(findings()).splitlines()[-1] == "The base works, on the processor."
    broken = findings(
        base=[Part("numpy", ">=2", None, "missing")],
        kernels=[KernelRun("cpu", None, 0.1, None, "no compiler")],
    )
    assert shown(broken).splitlines()[-1] == "The base is broken: numpy, the back end cpu."
    cured = shown(findings(conflicts=[conflict()])).splitlines()[-1]
    assert cured.endswith("1 conflict(s) to mend, see above.")


def test_a_gpu_is_named():
    devices = findings().devices | {"torch_gpus": ["NVIDIA A"], "torch_built_for_cuda": "13.0"}
    runs = [*findings().kernels, KernelRun("cuda", "cuda:0 (NVIDIA A)", 0.2, 0.0, None)]
    text = shown(findings(devices=devices, kernels=runs))
    assert "1: NVIDIA A" in text
    assert text.splitlines()[-1] == "The base works, on a GPU."


def test_every_back_end_is_listed_with_what_it_gave_or_why_it_cannot_run():
    runs = [*findings().kernels, KernelRun("cuda", None, 0.0, None, None, "no CUDA device")]
    lines = [" ".join(line.split()) for line in shown(findings(kernels=runs)).splitlines()]
    assert "cpu cpu computes what it should, to 1.0e-16 0.50 s" in lines
    assert "cuda - cannot run here: no CUDA device" in lines
