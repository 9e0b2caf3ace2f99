"""`python -m tests.benchmarks.table`: the newest numbers of `make bench` as a table.

Reads what pytest-benchmark saved under .benchmarks/ and writes experiments/speed/README.md and
results.json. Of each benchmark the newest numbers count, so a part can be measured again.
"""

import json
import sys

from tests.benchmarks.child import ROOT

HEAD = """# Speed and memory

How fast does hebb_lab read logs and run the default ablation, in how much memory, and how do its
kernels compare with other libraries that do the same work?

    make bench                                  # measures; keeps the numbers in .benchmarks/
    .venv/bin/python -m tests.benchmarks.table  # writes this table and results.json

A part alone: `make bench ARGS='-k reading'`. The log of long lines takes 2 GB of disk while it is
read; `BENCH_LONG_MB=400 make bench` makes it smaller. Rows that need the real logs are skipped
where those are absent.

Each value is the median over the rounds, with the smallest and the largest in brackets. Goals are
reported, never asserted: no test fails because a machine is slow. A load far above 0 before a row
says that other programs were running, and that its times are longer than they need be.
"""


def newest(folder):
    """Name → (benchmark, the session in which it was measured), the newest of each."""
    found = {}
    for path in sorted(folder.glob("*/*.json")):
        session = json.loads(path.read_text(encoding="utf-8"))
        for row in session["benchmarks"]:
            name, known = row["fullname"], found.get(row["fullname"])
            is_newer = known is None or known[1]["datetime"] <= session["datetime"]
            if is_newer and "values" in row["extra_info"]:
                found[name] = (row, session)
    return found


def result_of(row, session):
    """One row of results.json."""
    info, machine, commit = row["extra_info"], session["machine_info"], session["commit_info"]
    return {
        "name": row["name"],
        "what": info["what"],
        "method": info["method"],
        "values": info["values"],
        "rounds": row["stats"]["rounds"],
        "measured": session["datetime"][:19],
        "commit": commit["id"][:12] + ("+" if commit["dirty"] else ""),
        "load_before": info["load_before"],
        "machine": {
            "cpu": machine["cpu"].get("brand_raw", "unknown"),
            "cores": machine["cores"],
            "memory_gb": machine["memory_gb"],
            "system": f"{machine['system']} {machine['release'].split('-')[0]}",
            "python": machine["python_version"],
            "versions": machine["versions"],
        },
    }


def table_of(results):
    """README.md."""
    lines = [HEAD, *map(_machine, _distinct(result["machine"] for result in results)), ""]
    lines += ["| what | value | median | goal | met | rounds |", "|---|---|---|---|---|---|"]
    for result in results:
        for number, value in enumerate(result["values"]):
            what = "" if number else result["what"]
            lines.append(
                f"| {what} | {value['name']} | {_measured(value)} | {_goal(value)} | "
                f"{ {True: 'yes', False: '**no**', None: ''}[value['met']] } | "
                f"{len(value['samples'])} |"
            )
    lines += ["", "× says how many times faster than the peer.", "", "## How each was measured", ""]
    for result in results:
        lines.append(
            f"- **{result['what']}**: {result['method']}. Measured {result['measured'][:10]} at "
            f"commit {result['commit']}; load of the machine just before: {result['load_before']}."
        )
    return "\n".join(lines) + "\n"


def _distinct(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _machine(machine):
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return (
        f"Machine: {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"{machine['system']}, no GPU used; Python {machine['python']}, {versions}."
    )


def _measured(value):
    number = f"{_short(value['median'])} {value['unit']}"
    if len(value["samples"]) == 1:
        return number
    return f"{number} ({_short(value['low'])} to {_short(value['high'])})"


def _goal(value):
    if value["at_most"] is not None:
        return f"≤ {value['at_most']:g} {value['unit']}"
    return "" if value["at_least"] is None else f"≥ {value['at_least']:g} {value['unit']}"


def _short(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main():
    """Write both files; 1 when nothing was measured."""
    found = newest(ROOT / ".benchmarks")
    if not found:
        sys.stderr.write("Nothing is measured yet: run make bench\n")
        return 1
    order = ("test_reading", "test_runs", "test_kernels")
    rank = {name: (next((i for i, part in enumerate(order) if part in name), len(order)))
            for name in found}  # fmt: skip
    results = [result_of(*found[name]) for name in sorted(found, key=rank.__getitem__)]
    folder = ROOT / "experiments" / "speed"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"rows": results}, indent=1, ensure_ascii=False) + "\n"
    (folder / "results.json").write_text(text, encoding="utf-8")
    (folder / "README.md").write_text(table_of(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
