"""The command line that compiles the CUDA kernels without a device."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile every kernel and print what it needs.

    Returns:
        0 when all compile, 1 when one does not, 2 when there is no compiler.
    """
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.kernels.cuda",
        description="Compile every CUDA kernel with nvcc or NVRTC, for float64 and float32, and "
        "print its registers, shared memory and spills. No GPU is needed, and nothing runs on one.",
        epilog="Exits with 0 when all compile, 1 when one does not, 2 without a compiler.",
    )
    parser.add_argument(
        "--target", action="append", metavar="sm_NN", help="a target; default: sm_80 and sm_90"
    )
    parser.add_argument("--compiler", choices=["auto", "nvcc", "nvrtc"], default="auto")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    options = parser.parse_args(arguments)
    from hebb_lab.errors import MissingExtraError
    from hebb_lab.kernels.cuda.compile import TARGETS, Refused, compile_all, find_compiler

    try:
        compiler = find_compiler(options.compiler)
    except MissingExtraError as missing:
        sys.stderr.write(f"{missing}\n")
        return 2
    found = list(compile_all(compiler, options.target or TARGETS))
    if options.json:
        content = {"compiler": compiler.name, "kernels": [asdict(each) for each in found]}
        sys.stdout.write(json.dumps(content, indent=1) + "\n")
    else:
        _show(compiler.name, found)
    return int(any(isinstance(each, Refused) for each in found))


def _show(compiler: str, found: Sequence[object]) -> None:
    """A line a kernel, then what was refused, then the verdict."""
    from hebb_lab.kernels.cuda.compile import Need, Refused

    row = "{:<17}{:<7}{:<9}{:>10}{:>14}{:>14}\n"
    lines = [row.format("kernel", "target", "REAL", "registers", "shared bytes", "spilled bytes")]
    lines += [
        row.format(
            each.kernel, each.target, each.precision, each.registers, each.shared_bytes,
            each.spilled_bytes,
        )
        for each in found
        if isinstance(each, Need)
    ]  # fmt: skip
    refused = [each for each in found if isinstance(each, Refused)]
    lines += [
        f"\n{each.module} does not compile for {each.target}, {each.precision}:\n{each.log}\n"
        for each in refused
    ]
    compiled = len(found) - len(refused)
    lines.append(f"{compiled} compiled by {compiler}, {len(refused)} refused; none was run.\n")
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    sys.exit(main())
