"""`python -m hebb_lab.graph.files PATH …`: what files of stored graphs are and hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hebb_lab.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Say of each file what it is and what it holds.

    Returns:
        0 when all could be read, 2 when one could not.
    """
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.graph.files",
        description="What files of stored graphs are and hold: HCSR, HGPH, TPCH, COAX, HYEG, REG, "
        "TREG, EDIR and the names of its entities.",
        epilog="Exit code: 0 all are well; 2 one is none of these, or is broken.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file")
    code = 0
    for path in parser.parse_args(arguments).paths:
        try:
            sys.stdout.write(_said(path))
        except InputError as error:
            sys.stderr.write(f"{error}\n")
            code = 2
    return code


def _said(path: Path) -> str:
    from hebb_lab.graph.files.describe import described
    from hebb_lab.graph.files.detect import layout_of, read_graph_file
    from hebb_lab.graph.files.encoding.header import name_of

    layout = layout_of(path)
    rows = described(read_graph_file(path))
    kind = "names of entities" if layout is None else name_of(layout)
    lines = [f"{path}: {kind}, {path.stat().st_size:,} bytes"]
    lines += [f"  {what:<16} {value}" for what, value in rows.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
