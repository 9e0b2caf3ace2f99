"""What the machine can do at most, and what a process takes of it."""

import resource
import time
from pathlib import Path

import psutil
import torch

from tests.benchmarks.child import KIB

COPIED = 2**28  # bytes; far more than the caches hold


def copy_bandwidths(rounds, device="cpu"):
    """Bytes a second that a plain copy moves on a device, read and written, of each round."""
    source = torch.ones(COPIED, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    found = []
    for number in range(rounds + 1):
        wait(device)
        began = time.perf_counter()
        target.copy_(source)
        wait(device)
        if number:
            found.append(2 * COPIED / (time.perf_counter() - began))
    return tuple(found)


def wait(device):
    """Until a device has done what it was told."""
    if str(device).startswith("cuda"):
        torch.cuda.synchronize()


def free_bytes():
    """Memory that may be taken without paging."""
    return psutil.virtual_memory().available


class Extra:
    """How far a process grows beyond what it held at the start, at its highest.

    Linux forgets the earlier peak on request; elsewhere the peak counts from the process's start,
    and the value is then none.
    """

    def __enter__(self):
        self.held = psutil.Process().memory_info().rss
        clear = Path("/proc/self/clear_refs")
        self.known = clear.exists()
        if self.known:
            clear.write_text("5")
        return self

    def __exit__(self, *_):
        self.bytes = max(_peak() - self.held, 0) if self.known else None


def _peak():
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB
