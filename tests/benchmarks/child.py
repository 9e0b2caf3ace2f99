"""Runs a command as a child process: its wall and processor time, its largest process's memory.

The measured process starts from this small one, and not from pytest: on Linux the peak of a new
process begins at that of the process which it was forked from.
"""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
KIB = 1 if sys.platform == "darwin" else 1024  # unit of ru_maxrss, in bytes


class Measured(NamedTuple):
    """How a command went."""

    seconds: float
    processor_seconds: float
    peak_mb: float
    code: int
    output: str


def measure(*command, **environment):
    """Run a command from the root of the checkout, and measure it."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__)), *map(str, command)],
        cwd=ROOT, env=os.environ | environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return Measured(**json.loads(done.stdout))


def main(command):
    """Print what was measured as JSON."""
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.perf_counter() - began
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * KIB / 1e6
    measured = Measured(seconds, processor, peak, done.returncode, done.stdout)
    sys.stdout.write(json.dumps(measured._asdict()))


if __name__ == "__main__":
    main(sys.argv[1:])
