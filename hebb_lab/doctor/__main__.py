"""The command line of the doctor."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what this machine can do.

    Returns:
        0 when the base works, 1 when it is broken.
    """
    parser = argparse.ArgumentParser(
        prog="python -m hebb_lab.doctor",
        description="What this machine can do: devices, the back ends and a real run of each that "
        "can, versions, which extras are missing and how to get them, and packages that break each "
        "other.",
        epilog="Exits with 0 when the base works and with 1 when it is broken.",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the findings as JSON")
    form.add_argument(
        "--brief", action="store_true", help="run the back end cpu alone; print what is wrong"
    )
    options = parser.parse_args(arguments)
    try:
        from hebb_lab.doctor.examine import examine
        from hebb_lab.doctor.show import show, show_verdict
    except ImportError as error:
        sys.stderr.write(f"The base is broken: {error}. Install hebb_lab anew with pip.\n")
        return 1
    findings = examine(options.brief)
    if options.json:
        sys.stdout.write(json.dumps(findings.as_json(), indent=1) + "\n")
    elif options.brief:
        show_verdict(findings)
    else:
        show(findings)
    return 0 if findings.base_works else 1


if __name__ == "__main__":
    sys.exit(main())
