"""Compile every kernel for real devices on a machine without one, and say what each needs.

This proves that the text compiles, and shows registers, shared memory and spills. Nothing runs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hebb_lab.errors import MissingExtraError
from hebb_lab.kernels.cuda.sources import compiler_options, modules, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hebb_lab.kernels.backend import Precision

TARGETS = ("sm_80", "sm_90")
PRECISIONS: tuple[Precision, ...] = ("float64", "float32")
_ENTRY = re.compile(r"Compiling entry function '(\w+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


@dataclass(frozen=True)
class Need:
    """What a kernel takes on a target: registers a thread, bytes of shared memory a block, spills.

    ``spilled_bytes`` are stores and loads of registers that did not fit, a thread.
    """

    module: str
    kernel: str
    target: str
    precision: Precision
    registers: int
    shared_bytes: int
    spilled_bytes: int


@dataclass(frozen=True)
class Refused:
    """A module that does not compile, and what the compiler says."""

    module: str
    target: str
    precision: Precision
    log: str


class Compiler(Protocol):
    """name: with its version. compile: (text, target, options) → (whether it compiled, log)."""

    name: str

    def compile(self, text: str, target: str, options: Sequence[str]) -> tuple[bool, str]:
        """Make a binary for the target, and throw it away."""


class Nvcc:
    """The compiler of the CUDA toolkit."""

    def __init__(self, command: str) -> None:
        self._command = command
        said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
        version = re.search(r"release [\d.]+, V([\d.]+)", said.stdout)
        self.name = f"nvcc {version[1] if version else '(unknown version)'}"

    def compile(self, text: str, target: str, options: Sequence[str]) -> tuple[bool, str]:
        """Through files in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "kernels.cu").write_text(text, "utf-8")
            run = subprocess.run(
                [self._command, *options, f"-arch={target}", "-cubin", "-Xptxas=-v",
                 "kernels.cu", "-o", "kernels.cubin"],
                cwd=folder, capture_output=True, text=True, check=False,
            )  # fmt: skip
            made = Path(folder, "kernels.cubin").exists()
        return run.returncode == 0 and made, run.stdout + run.stderr


class Nvrtc:
    """NVIDIA's compiler as a library, which needs no toolkit and no driver."""

    def __init__(self, nvrtc: Any) -> None:
        self._nvrtc = nvrtc
        _, major, minor = nvrtc.nvrtcVersion()
        self.name = f"NVRTC {major}.{minor}"

    def compile(self, text: str, target: str, options: Sequence[str]) -> tuple[bool, str]:
        """In memory."""
        nvrtc = self._nvrtc
        _, program = nvrtc.nvrtcCreateProgram(text.encode(), b"kernels.cu", 0, [], [])
        told = [f"--gpu-architecture={target}", "--ptxas-options=-v", *options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(told), [part.encode() for part in told])
        _, size = nvrtc.nvrtcGetProgramLogSize(program)
        log = b" " * size
        nvrtc.nvrtcGetProgramLog(program, log)
        return int(status) == 0, log.decode(errors="replace").rstrip("\0 \n")


def find_compiler(kind: str = "auto") -> Compiler:
    """nvcc, if it is here, else NVRTC, if the extra ``kernels`` is installed.

    Args:
        kind: ``auto``, ``nvcc`` or ``nvrtc``.

    Raises:
        MissingExtraError: none is.
    """
    command = shutil.which("nvcc")
    if command and kind in ("auto", "nvcc"):
        return Nvcc(command)
    try:
        if kind in ("auto", "nvrtc"):
            from cuda.bindings import nvrtc

            nvrtc.nvrtcVersion()  # the library is loaded by the first call
            return Nvrtc(nvrtc)
    except (ImportError, RuntimeError):
        pass
    which = {"nvcc": "nvcc is not", "nvrtc": "NVRTC is not"}
    raise MissingExtraError(
        f"no compiler for CUDA: {which.get(kind, 'neither nvcc nor NVRTC is')} here",
        "Install the extra: pip install 'hebb_lab[kernels]'",
    )


def compile_all(compiler: Compiler, targets: Sequence[str] = TARGETS) -> Iterator[Need | Refused]:
    """Every module for every target in both precisions."""
    for module in modules():
        for target in targets:
            for precision in PRECISIONS:
                yield from compile_one(compiler, module, text_of(module), target, precision)


def compile_one(
    compiler: Compiler, module: str, text: str, target: str, precision: Precision
) -> list[Need | Refused]:
    """What each kernel of one module needs, or why it does not compile."""
    done, log = compiler.compile(text, target, compiler_options(precision))
    if not done:
        return [Refused(module, target, precision, log.strip())]
    return [Need(module, kernel, target, precision, *numbers) for kernel, *numbers in _needs(log)]


def _needs(log: str) -> Iterator[tuple[str, int, int, int]]:
    """(kernel, registers, shared bytes, spilled bytes) of each kernel that ptxas tells of."""
    kernel, spilled = "", 0
    for line in log.splitlines():
        entry, stack, used = _ENTRY.search(line), _STACK.search(line), _USED.search(line)
        if entry:
            kernel, spilled = entry[1], 0
        if stack:
            spilled = int(stack[2]) + int(stack[3])
        if used:
            shared = _SHARED.search(line)
            yield kernel, int(used[1]), int(shared[1]) if shared else 0, spilled
