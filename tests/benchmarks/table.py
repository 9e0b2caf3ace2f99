"""`python -m tests.benchmarks.table`: the newest numbers of `make bench` as tables.

Reads what pytest-benchmark saved under .benchmarks/ and writes README.md and results.json of
experiments/speed (reading and whole runs), experiments/kernels (kernels against their peers, with
the figure of growth), experiments/halflife/speed (what fitting asks of them),
experiments/layers/speed (the cognitive graph) and experiments/memory/speed (the memory model). Of
each benchmark that still exists the newest numbers count, so a part can be measured again. With
``--print`` it writes nothing and prints the rows that have a goal.
"""

import json
import sys

from tests.benchmarks.child import ROOT

COMMANDS = """\
    make bench                                  # measures; keeps the numbers in .benchmarks/
    .venv/bin/python -m tests.benchmarks.table  # writes this table and results.json
"""

METHOD = """\
Each value is the median over the rounds, with the smallest and the largest in brackets. Goals are
reported, never asserted: no test fails because a machine is slow. A load far above 0 before a row
says that other programs were running, and that its times are longer than they need be.
"""

SPEED = f"""# Speed and memory

How fast does hebb_lab read logs and run the default ablation, and in how much memory? The kernels
have a table of their own: [kernels](../kernels/README.md).

{COMMANDS}
A part alone: `make bench ARGS='-k reading'`. The log of long lines takes 2 GB of disk while it is
read; `BENCH_LONG_MB=400 make bench` makes it smaller. Rows that need the real logs are skipped
where those are absent.

{METHOD}"""

KERNELS = f"""# Kernels against their peers

How fast are replay, spreading, PageRank, recall and the building of the graph, against the
libraries that people would use instead, and how does their cost grow?

{COMMANDS}    .venv/bin/python -m tests.benchmarks.growth # draws the figure of results.json again

A part alone: `make bench ARGS='-k spread'`; a quick look: `BENCH_ROUNDS=1 make bench`. Each row is
one process; in each round the peers run first, then ours, and their answers are held to each other
before a time counts. Rows that need the real logs, or a GPU, are skipped where there are none.

Against SQLite and PyG spmm a call of ours takes a millisecond or a few, its peer's hundreds. There
the goal is held to many calls of ours in a row; one call alone, right after its peer, finds the
processor's caches full of other data, takes five to ten times as long, and is a row beside it.

{METHOD}
![Seconds over work, log-log, with the slopes](growth.png)
"""

HALF_LIVES = f"""# How fast half-lives are fitted

How fast are the models on a million reinforcements, the whole experiment on a real log, and the
kernels below: the table of likelihoods over a grid of half-lives, and replay with derivatives, by
which half-lives are fitted?

{COMMANDS}
A part alone: `make bench ARGS='-k half_life'`.

{METHOD}"""

LAYERS = f"""# Speed and memory of the cognitive graph

How long do 1,000 queries take in the six layers over 100,000 memories, how much memory do the
layers need beside the budget of the page that they are built after, and how long does the whole
experiment on layers take on LoCoMo?

{COMMANDS}    .venv/bin/python -m tests.benchmarks.layers_memory  # memory, part by part

A part alone: `make bench ARGS='-k expanding'`. The row of LoCoMo needs its file and the extra
`embed`, and is skipped where either is absent.

{METHOD}"""

MEMORY = f"""# Speed and size of the memory model

How fast are a durable store of up to a million memories, exact search and search through an HNSW
graph in it, and decay; and how do seconds and bytes grow with memories?

{COMMANDS}
A part alone: `make bench ARGS='-k memory_model'`. A store of a million memories takes 2 GB of disk
while it is measured. Rows against FAISS are skipped where it is not installed.

{METHOD}
![Seconds over memories, log-log, with the slopes](growth.png)
"""

FOLDERS = {
    "speed": (SPEED, ("test_reading", "test_runs", "test_embedding")),
    "kernels": (
        KERNELS,
        (
            "test_replay", "test_spread", "test_time_travel", "test_sqlite", "test_building",
            "test_pagerank", "test_recall", "test_growth", "test_gpu",
        ),
    ),
    "halflife/speed": (HALF_LIVES, ("test_half_life_kernels", "test_half_life_fits")),
    "layers/speed": (LAYERS, ("test_layers",)),
    "memory/speed": (MEMORY, ("test_memory_model",)),
}  # fmt: skip


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


def still_there(name, root=ROOT):
    """Whether the benchmark of that full name is still in its file."""
    file, _, function = name.partition("::")
    path = root / file
    return path.exists() and f"def {function.partition('[')[0]}(" in path.read_text("utf-8")


def folder_of(name):
    """(folder under experiments/, place in its order) of a benchmark's full name; else None."""
    stem = name.partition("::")[0].rpartition("/")[2].removesuffix(".py")
    for folder, (_, order) in FOLDERS.items():
        if stem in order:
            return folder, order.index(stem)
    return None


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
        "device": info.get("device"),
        **({"growth": info["growth"]} if "growth" in info else {}),
        "machine": {
            "cpu": machine["cpu"].get("brand_raw", "unknown"),
            "cores": machine["cores"],
            "memory_gb": machine["memory_gb"],
            "system": f"{machine['system']} {machine['release'].split('-')[0]}",
            "python": machine["python_version"],
            "versions": machine["versions"],
        },
    }


def table_of(results, head):
    """README.md."""
    machines = _distinct((result["machine"], result["device"]) for result in results)
    lines = [head, *(_machine(*each) for each in machines), ""]
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


def _machine(machine, device):
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    return (
        f"Machine: {machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"{machine['system']}, {device or 'no GPU used'}; Python {machine['python']}, {versions}."
    )


def _measured(value):
    number = f"{_short(value['median'])} {value['unit']}".rstrip()
    if len(value["samples"]) == 1:
        return number
    return f"{number} ({_short(value['low'])} to {_short(value['high'])})"


def _goal(value):
    if value["at_most"] is not None:
        return f"≤ {value['at_most']:g} {value['unit']}".rstrip()
    return "" if value["at_least"] is None else f"≥ {value['at_least']:g} {value['unit']}".rstrip()


def _short(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def reach(results):
    """The rows with a goal, as text for a terminal."""
    lines, met = [], []
    for result in results:
        values = [value for value in result["values"] if value["met"] is not None]
        lines += [f"\n{result['what']}"] * bool(values)
        for value in values:
            sign, count = "met" if value["met"] else "MISSED", len(value["samples"])
            lines.append(
                f"  {sign:<7} {value['name']}: {_measured(value)}, goal {_goal(value)} "
                f"({count} round{'s' * (count > 1)}, {result['measured'][:10]}, "
                f"load before {result['load_before']})"
            )
            met.append(value["met"])
    lines.append(f"\n{sum(met)} of {len(met)} goals met; none is asserted.")
    return "\n".join(lines) + "\n"


def measured_results(folder):
    """Name of the folder under experiments/ → its results, in order."""
    found = {name: each for name, each in newest(folder).items() if still_there(name)}
    places = {name: folder_of(name) for name in found}
    made = {each: [] for each in FOLDERS}
    for name in sorted((n for n in found if places[n]), key=lambda n: places[n]):
        made[places[name][0]].append(result_of(*found[name]))
    return made


def write(made, experiments):
    """README.md and results.json of each folder that has results, and the figure of growth."""
    for name, results in made.items():
        if not results:
            continue
        folder = experiments / name
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"rows": results}, indent=1, ensure_ascii=False) + "\n"
        (folder / "results.json").write_text(text, encoding="utf-8")
        (folder / "README.md").write_text(table_of(results, FOLDERS[name][0]), encoding="utf-8")
        if any("growth" in result for result in results):
            from tests.benchmarks.growth import draw

            draw(results, folder / "growth")


def main(arguments):
    """Write or print; 1 when nothing was measured."""
    made = measured_results(ROOT / ".benchmarks")
    if not any(made.values()):
        sys.stderr.write("Nothing is measured yet: run make bench\n")
        return 1
    if "--print" in arguments:
        sys.stdout.write(reach([result for results in made.values() for result in results]))
    else:
        write(made, ROOT / "experiments")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
