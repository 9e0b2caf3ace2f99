"""``python -m hebb_lab.memory``: what is in a store, whether it is whole, and its upkeep."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from hebb_lab.errors import HebbLabError

# command → the module that has it, and what it does
COMMANDS = {
    "info": ("looking", "counts by kind and entity, bytes, commits, the clock, losses"),
    "check": ("looking", "read every page and row; exits with 1 where something is wrong"),
    "tombstones": ("looking", "what was forgotten, and when"),
    "salvage": ("moving", "copy what is whole in a damaged store into a new one"),
    "export": ("moving", "write the store as Parquet files"),
    "import": ("moving", "make a store of Parquet files that export wrote"),
    "forget": (
        "keeping",
        "forget memories for good, with the states that they superseded and the insights drawn"
        " from them; newer revisions stay",
    ),
    "compact": ("keeping", "move the store to this version and rewrite it without free room"),
}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.memory",
        description="Look at a store of memories and keep it in order. PATH is its folder.",
        epilog="Exits with 2 and one sentence where something is to be mended.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, text) in COMMANDS.items():
        one = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name == "import":
            one.add_argument("source", type=Path, metavar="IN", help="folder of Parquet files")
            one.add_argument("path", type=Path, metavar="PATH", help="folder of the new store")
            continue
        if name == "forget":
            one.epilog = "A store does not keep its rules: this command uses the documented ones."
        one.add_argument("path", type=Path, metavar="PATH", help="folder of the store")
        if name in {"salvage", "export"}:
            one.add_argument("out", type=Path, metavar="OUT", help="a new folder")
        if name == "forget":
            one.add_argument("ids", nargs="+", metavar="ID", help="of the memories")
            one.add_argument(
                "--at", type=time_us, required=True, metavar="TIME",
                help="when: µs since 1970, or a date such as 2025-03-06T16:00Z (UTC without one)",
            )  # fmt: skip
    return parser


def time_us(text: str) -> int:
    """A time on the command line as µs since 1970."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no time") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one command; 1 where ``check`` finds something, 2 where the user has something to mend."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # one that cannot write µ writes \xb5
            stream.reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    module = import_module(f"hebb_lab.memory.commands.{COMMANDS[options.command][0]}")
    try:
        return int(module.COMMANDS[options.command](options))
    except HebbLabError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
