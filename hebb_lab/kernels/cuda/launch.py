"""How a kernel is started: one interface, and its implementation through CuPy on an NVIDIA GPU."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import torch

from hebb_lab import device as devices
from hebb_lab.errors import ConfigError, MissingExtraError
from hebb_lab.kernels.cuda.sources import compiler_options, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hebb_lab.kernels.backend import Precision

MOST_THREADS = 256  # of a block, as types.cuh has it
MOST_BLOCKS = 2**31 - 1


class Shape(NamedTuple):
    """threads: of a block. blocks: how many the device holds at once."""

    threads: int
    blocks: int


class TorchStream(NamedTuple):
    """A stream of torch's, as CUDA's stream protocol hands it on."""

    address: int

    def __cuda_stream__(self) -> tuple[int, int]:
        """(version of the protocol, address)."""
        return 0, self.address


class Launcher(Protocol):
    """Compiles modules and starts their kernels, in order, on one device.

    precision: of weights, REAL in the sources. device: where tensors are. name: of the device.
    """

    precision: Precision
    device: torch.device
    name: str

    def shape(self, module: str, kernel: str) -> Shape:
        """The block that a kernel is started with, and how many of them run side by side."""

    def launch(self, module: str, kernel: str, shape: Shape, arguments: Sequence[Any]) -> None:
        """Start so many blocks. Tensors are pointers, None is null, numbers are 64 bits wide."""

    def free_bytes(self) -> int:
        """Memory of the device that nothing holds now."""


def for_each(
    launcher: Launcher, module: str, kernel: str, count: int, arguments: Sequence[Any]
) -> None:
    """Start a kernel of ``count`` independent pieces of work, a thread each."""
    threads, _ = launcher.shape(module, kernel)
    if count:
        blocks = min(-(-count // threads), MOST_BLOCKS)
        launcher.launch(module, kernel, Shape(threads, blocks), arguments)


def staying_blocks(
    launcher: Launcher, module: str, kernel: str, tasks: int, bytes_each: int, memory_bytes: int
) -> Shape:
    """The blocks for tasks that each need a workspace: what the device and the memory hold.

    One block at least: where not even its workspace fits, allocating it says so.
    """
    threads, resident = launcher.shape(module, kernel)
    room = min(memory_bytes, launcher.free_bytes()) // max(bytes_each, 1)
    return Shape(threads, max(min(tasks, resident, room), 1))


class CupyLauncher:
    """Through CuPy's RawModule, on torch's device and stream; CuPy keeps what it has compiled.

    Raises:
        MissingExtraError: CuPy is not installed.
        ConfigError: no device that CuPy and torch can use.
    """

    def __init__(self, precision: Precision) -> None:
        for problem in (devices.cupy_problem(), devices.torch_problem()):
            if problem is not None:
                missing = "not installed" in problem[0]
                raise (MissingExtraError if missing else ConfigError)(
                    f"runtime.backend=cuda: {problem[0]}", problem[1]
                )
        import cupy

        self.precision: Precision = precision
        self.device = torch.device("cuda", torch.cuda.current_device())
        self.name = f"{self.device} ({torch.cuda.get_device_name(self.device)})"
        self._cupy = cupy
        self._module: Callable[[str], Any] = cache(partial(_compiled, cupy, precision))

    def shape(self, module: str, kernel: str) -> Shape:
        """As many threads as its registers allow; blocks by registers, shared memory, threads."""
        function = self._module(module).get_function(kernel)
        threads = min(MOST_THREADS, int(function.max_threads_per_block)) // 32 * 32
        device = torch.cuda.get_device_properties(self.device)
        registers = getattr(device, "regs_per_multiprocessor", 65536)
        shared = getattr(device, "shared_memory_per_multiprocessor", 49152)
        each = min(
            registers // max(int(function.num_regs) * threads, 1),
            shared // max(int(function.shared_size_bytes), 1),
            device.max_threads_per_multi_processor // threads,
        )
        return Shape(threads, device.multi_processor_count * max(each, 1))

    def launch(self, module: str, kernel: str, shape: Shape, arguments: Sequence[Any]) -> None:
        """Start it on torch's current stream; tensors are handed on by DLPack, without a copy."""
        function = self._module(module).get_function(kernel)
        stream = TorchStream(torch.cuda.current_stream(self.device).cuda_stream)
        with (
            self._cupy.cuda.Device(self.device.index),
            self._cupy.cuda.Stream.from_external(stream),
        ):
            function((shape.blocks,), (shape.threads,), tuple(map(self._passed, arguments)))

    def free_bytes(self) -> int:
        """What the driver has, and what torch keeps for itself without a use."""
        free, _ = torch.cuda.mem_get_info(self.device)
        kept = torch.cuda.memory_reserved(self.device) - torch.cuda.memory_allocated(self.device)
        return int(free + kept)

    def _passed(self, argument: Any) -> Any:
        if isinstance(argument, torch.Tensor):
            # an empty tensor has no address, and nothing reads it
            return self._cupy.from_dlpack(argument) if argument.numel() else np.uint64(0)
        if argument is None:
            return np.uint64(0)
        return np.float64(argument) if isinstance(argument, float) else np.int64(argument)


def _compiled(cupy: Any, precision: Precision, module: str) -> Any:
    return cupy.RawModule(code=text_of(module), options=compiler_options(precision))
