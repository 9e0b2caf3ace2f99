"""The kernels' own text, built by g++ for the processor: a library, or a player for sanitizers."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from hebb_lab.kernels.cuda.sources import kernels_of, modules, text_of

HERE = Path(__file__).parent
FLAGS = ["-std=c++20", "-pthread", "-w", "-ffp-contract=off", "-fno-strict-aliasing"]


def compiler() -> str | None:
    """g++, where there is one."""
    return shutil.which("g++")


def program(chosen, edited=lambda text: text) -> str:
    """Modules as one program, each in a namespace of its own, behind the shim."""
    parts = [f'#include "{HERE / "shim.hpp"}"\n']
    for module in chosen:
        parts.append(f"namespace of_{module} {{\n{edited(text_of(module))}\n}}\n")
        parts += [f"HOST_KERNEL(of_{module}, {kernel})\n" for kernel in kernels_of(module)]
    return "".join(parts)


def table(chosen) -> str:
    """`find`: the kernel of that name, null if its module was not chosen."""
    lines = [
        f'    if (name == std::string("{kernel}")) return host_{kernel};\n'
        for module in chosen
        for kernel in kernels_of(module)
    ]
    returned = "auto find(const char* name) -> void (*)(long long, int, int, void**) {\n"
    return returned + "".join(lines) + "    return nullptr;\n}\n"


def library(precision: str) -> Path:
    """The shared library for a precision, built once for this text, whoever asks first."""
    return _built(program(modules()), ["-O1", "-shared", "-fPIC", *_real(precision)], "kernels.so")


def player(sanitizer: str, chosen, edited=lambda text: text) -> Path:
    """A program that plays recorded launches of some modules under `address` or `thread`."""
    text = program(chosen, edited) + table(chosen) + (HERE / "player.cpp").read_text()
    return _built(text, ["-O0", "-g", f"-fsanitize={sanitizer}", *_real("float64")], "player")


def _real(precision: str) -> list[str]:
    return [f"-DREAL={'double' if precision == 'float64' else 'float'}"]


def _built(text: str, flags: list[str], name: str) -> Path:
    key = repr([text, (HERE / "shim.hpp").read_text(), FLAGS, flags])
    digest = hashlib.sha256(key.encode()).hexdigest()[:24]
    folder = Path(tempfile.gettempdir()) / f"hebb_lab-host-{os.getuid()}" / digest
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes wait, and find it built
        if not (folder / name).exists():
            (folder / "kernels.cpp").write_text(text)
            subprocess.run(
                [compiler(), *FLAGS, *flags, "kernels.cpp", "-o", f"{name}.part"],
                cwd=folder, check=True, capture_output=True, text=True,
            )  # fmt: skip
            (folder / f"{name}.part").rename(folder / name)
    return folder / name
