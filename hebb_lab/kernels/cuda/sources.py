"""The CUDA C++ text of the kernels: one string a module, with what it includes put in its place.

One text without includes is what every compiler gets, and what CuPy's cache of compiled modules
goes by: a change in a shared header is a change of the text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hebb_lab.kernels.backend import Precision

SOURCE = Path(__file__).parent / "source"
_INCLUDE = re.compile(r'#include "(\w+\.cuh)"')
_KERNEL = re.compile(r'extern "C" __global__ void (\w+)\(')


def modules() -> list[str]:
    """The names of all modules, one a .cu file."""
    return sorted(path.stem for path in SOURCE.glob("*.cu"))


@cache
def text_of(module: str) -> str:
    """The text of a module, each header once."""
    return "".join(_lines(f"{module}.cu", set()))


def kernels_of(module: str) -> list[str]:
    """The names of the kernels in a module, in the order of its text.

    >>> kernels_of("spread")
    ['spread', 'spread_rows']
    """
    return _KERNEL.findall(text_of(module))


def has_barrier(module: str) -> bool:
    """Whether the threads of a block wait for each other in this module."""
    return "__syncthreads" in text_of(module)


def compiler_options(precision: Precision) -> tuple[str, ...]:
    """What every compiler is told.

    Products and sums are rounded apart, as in the other back ends: a fused one flips a threshold
    where the others do not. These kernels wait for memory, not for arithmetic.
    """
    real = "double" if precision == "float64" else "float"
    return ("-std=c++17", "--fmad=false", f"-DREAL={real}")


def _lines(name: str, seen: set[str]) -> list[str]:
    """The lines of a file; errors name its own file and line."""
    found = [f'#line 1 "{name}"\n']
    for number, line in enumerate((SOURCE / name).read_text("utf-8").splitlines(), 1):
        include = _INCLUDE.match(line)
        if include is None:
            found.append(line + "\n")
        elif include[1] not in seen:
            seen.add(include[1])
            found += [*_lines(include[1], seen), f'#line {number + 1} "{name}"\n']
    return found
