"""A launcher for the host build. It is not a GPU: see shim.hpp for what it can find."""

from __future__ import annotations

import ctypes
import re
import struct
from functools import cache
from pathlib import Path

import torch

from hebb_lab.kernels.cuda.launch import Shape
from hebb_lab.kernels.cuda.sources import has_barrier
from tests.kernels.cuda.host.build import library

MOST_BLOCKS = 3  # every kernel goes on where its grid ends, so few blocks show it


class HostLauncher:
    """Starts the kernels' own text on the processor.

    Args:
        precision: of weights.
        threads: of a block whose threads wait for each other; the others run one by one.
    """

    def __init__(self, precision: str, threads: int = 3) -> None:
        self.precision = precision
        self.device = torch.device("cpu")
        self.name = "host, no GPU"
        self.threads = threads
        self._library = _opened(precision)

    def shape(self, module: str, kernel: str) -> Shape:
        return Shape(self.threads if has_barrier(module) else 32, MOST_BLOCKS)

    def launch(self, module: str, kernel: str, shape: Shape, arguments) -> None:
        self._check(kernel, arguments)
        values = [_as_c(argument) for argument in arguments]
        addresses = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        blocks = min(shape.blocks, MOST_BLOCKS)
        together = has_barrier(module)
        getattr(self._library, f"host_{kernel}")(
            ctypes.c_longlong(blocks), shape.threads, int(together), addresses
        )

    def free_bytes(self) -> int:
        return 2**62

    def _check(self, kernel: str, arguments) -> None:
        """Each argument is of the kind and the width that the kernel's text says."""
        says = getattr(self._library, f"kinds_{kernel}")
        says.restype = ctypes.c_char_p
        kinds = re.findall(r"[pif]\d+", says().decode())
        assert len(kinds) == len(arguments), (kernel, kinds, len(arguments))
        for place, (kind, argument) in enumerate(zip(kinds, arguments, strict=True)):
            if isinstance(argument, torch.Tensor):
                assert argument.is_contiguous(), (kernel, place)
                assert kind == f"p{argument.element_size()}", (kernel, place, kind, argument.dtype)
            elif argument is None:
                assert kind[0] == "p", (kernel, place, kind)
            else:
                assert kind == ("f8" if isinstance(argument, float) else "i8"), (kernel, place)


class Recorder(HostLauncher):
    """Keeps each launch with the bytes of its arguments, for a player, and starts it too."""

    def __init__(self, precision: str, threads: int) -> None:
        super().__init__(precision, threads)
        self._launches: list[bytes] = []

    def launch(self, module: str, kernel: str, shape: Shape, arguments) -> None:
        blocks = min(shape.blocks, MOST_BLOCKS)
        # those that do not wait for each other are played side by side as well
        head = struct.pack("q", len(kernel)) + kernel.encode()
        head += struct.pack("qqq", blocks, min(shape.threads, 8), len(arguments))
        self._launches.append(head + b"".join(map(_as_bytes, arguments)))
        super().launch(module, kernel, shape, arguments)

    def write(self, path: Path) -> None:
        path.write_bytes(struct.pack("q", len(self._launches)) + b"".join(self._launches))


@cache
def _opened(precision: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(library(precision)))


def _as_c(argument):
    if argument is None:
        return ctypes.c_void_p(0)
    if isinstance(argument, torch.Tensor):
        return ctypes.c_void_p(argument.data_ptr())
    return ctypes.c_double(argument) if isinstance(argument, float) else ctypes.c_longlong(argument)


def _as_bytes(argument) -> bytes:
    if argument is None:
        return struct.pack("q", -2)
    if isinstance(argument, torch.Tensor):
        content = argument.numpy().tobytes()
        return struct.pack("q", len(content)) + content
    return struct.pack("q", -1) + struct.pack("d" if isinstance(argument, float) else "q", argument)
