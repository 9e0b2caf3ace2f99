"""`python -m hebb_lab.graph.files`: what files of stored graphs hold, and graphs into files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hebb_lab.errors import HebbLabError, InputError

SAVE = "save"
PIPE_CLOSED = 141
"""What shells show of a program that a closed pipe has ended: 128 + SIGPIPE."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Say of each file what it is and what it holds, or save the graphs of a data set.

    Returns:
        0 when all went well, 2 when the user has something to mend, 141 when nobody reads what is
        said any more (``… | head``).
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = _run(given)
        sys.stdout.flush()  # here, and not at the very end, where nothing can be done any more
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is still to flush
        return PIPE_CLOSED
    return code


def _run(given: list[str]) -> int:
    if given[:1] == [SAVE]:
        return _save(_save_parser().parse_args(given[1:]))
    return _show(_show_parser().parse_args(given).paths)


def _show_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.graph.files",
        usage="%(prog)s [-h] PATH [PATH ...]\n       %(prog)s save [-h] DATASET_FOLDER OUT …",
        description="What files of stored graphs are and hold: HCSR, HGPH, TPCH, COAX, HYEG, REG, "
        "TREG, EDIR and the names of its entities. "
        f"`{SAVE}` learns the layers of a data set and writes such files (`{SAVE} --help`; a file "
        f"of that name is ./{SAVE}).",
        epilog="Exit code: 0 all are well; 2 one is none of these, or is broken.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file")
    return parser


def _save_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m hebb_lab.graph.files {SAVE}",
        description="Learn all layers of the cognitive graph from a data set and write them to a "
        "folder of files, as one graph of all its conversations.",
        epilog="Exit code: 0 all are written; 2 there is something to mend.",
    )
    parser.add_argument(
        "dataset", type=Path, metavar="DATASET_FOLDER",
        help="a corpus (corpus.jsonl, queries.jsonl, qrels) or LoCoMo (locomo10.json)",
    )  # fmt: skip
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder, made if it is not there")
    parser.add_argument(
        "--rules", default="documented", choices=("documented", "observed"),
        help="those of the page, in its formats and file names, or those of the code, in"
        " containers (default: documented)",
    )  # fmt: skip
    parser.add_argument(
        "--known", type=int, metavar="N", help="learn the first N memories (default: all)"
    )
    return parser


def _show(paths: Sequence[Path]) -> int:
    code = 0
    for path in paths:
        try:
            sys.stdout.write(_said(path))
        except InputError as error:
            sys.stderr.write(f"{error}\n")
            code = 2
    return code


def _save(options: argparse.Namespace) -> int:
    from hebb_lab.graph.files.saving import save_dataset

    try:
        for path in save_dataset(options.dataset, options.out, options.rules, options.known):
            sys.stdout.write(_said(path))
    except HebbLabError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


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
