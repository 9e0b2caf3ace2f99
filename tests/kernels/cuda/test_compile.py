"""Every kernel compiles for real devices, without one; a broken one does not."""

import json
import subprocess
import sys

import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.kernels.cuda import compile as module
from hebb_lab.kernels.cuda.__main__ import main
from hebb_lab.kernels.cuda.compile import TARGETS, Need, Refused, compile_one, find_compiler
from hebb_lab.kernels.cuda.sources import kernels_of, modules, text_of


def compiler_or_skip(kind):
    try:
        return find_compiler(kind)
    except MissingExtraError as missing:
        pytest.skip(str(missing))


@pytest.fixture(params=["nvcc", "nvrtc"])
def compiler(request):
    return compiler_or_skip(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("name", modules())
def test_every_kernel_compiles_for_both_targets_and_spills_nothing(name, compiler):
    for target in TARGETS:
        for precision in module.PRECISIONS:
            found = compile_one(compiler, name, text_of(name), target, precision)
            assert not [each.log for each in found if isinstance(each, Refused)]
            assert sorted(need.kernel for need in found) == sorted(kernels_of(name))
            assert all(need.spilled_bytes == 0 for need in found)
            assert all(0 < need.registers <= 255 for need in found)
            # 48 KiB of shared memory is what every device gives a block unasked
            assert all(need.shared_bytes <= 48 * 1024 for need in found)


def test_a_broken_kernel_is_refused_with_the_compilers_words(compiler):
    broken = text_of("lists").replace("FOR_EACH(s, starts)", "FOR_EACH(s, no_such_name)")
    (refused,) = compile_one(compiler, "lists", broken, "sm_90", "float64")
    assert isinstance(refused, Refused)
    assert 'identifier "no_such_name" is undefined' in refused.log
    assert "lists.cu" in refused.log, "the error names the file it is in"


class Saying:
    """A compiler that says something and compiles nothing."""

    name = "a compiler"

    def __init__(self, done, log):
        self.said = done, log

    def compile(self, text, target, options):
        return self.said


PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'one' for 'sm_90'
ptxas info    : Function properties for one
    40 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 1112 bytes smem
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Used 8 registers, used 0 barriers
"""


def test_registers_shared_memory_and_spills_are_read_from_what_ptxas_says():
    found = compile_one(Saying(True, PTXAS), "m", "", "sm_90", "float32")
    assert found == [
        Need("m", "one", "sm_90", "float32", 255, 1112, 40),
        Need("m", "other", "sm_90", "float32", 8, 0, 0),
    ]


def test_the_command_prints_what_each_kernel_needs(monkeypatch, capsys):
    monkeypatch.setattr(module, "find_compiler", lambda kind: Saying(True, PTXAS))
    assert main(["--target", "sm_90"]) == 0
    said = capsys.readouterr().out
    assert "one" in said
    assert f"{4 * len(modules())} compiled by a compiler, 0 refused; none was run." in said


def test_the_command_fails_where_a_kernel_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(module, "find_compiler", lambda kind: Saying(False, "line 7: no"))
    assert main(["--target", "sm_90", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["kernels"][0]["log"] == "line 7: no"
    assert main(["--target", "sm_90"]) == 1
    assert "does not compile for sm_90, float64:\nline 7: no" in capsys.readouterr().out


def test_without_a_compiler_the_command_names_the_extra(monkeypatch, capsys):
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    assert main([]) == 2
    assert "pip install 'hebb_lab[kernels]'" in capsys.readouterr().err


def test_help_loads_neither_torch_nor_cupy():
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "hebb_lab.kernels.cuda", "--help"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if "|" in line}
    assert "nothing runs on one" in " ".join(run.stdout.split())
    assert loaded & {"torch", "cupy", "numba", "numpy", "cuda.bindings"} == set()
