"""Where the processor time of a default ablation goes, by stage: a table, from any log.

    python -m tests.benchmarks.profile_ablation [--write FILE] [--name WHAT] [SETTING …]

Every millisecond of processor time that the process has used calls for a look at the stack; what
was used since the look before is booked on the innermost function of hebb_lab. Threads count in
full, waiting does not, so other processes do not shift the shares. The run is a whole one, from
the first import to the last figure; kernels that were never compiled are compiled before.
"""

from __future__ import annotations

import argparse
import platform
import runpy
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = str(ROOT / "hebb_lab") + "/"
LOOK_SECONDS = 0.001

STAGES = {  # the first that a path begins with
    "kernels": ("kernels/",),
    "reading, or simulating the log": (
        "telemetry/", "simulator/", "corpora/", "experiment/prepare",
    ),
    "windows and graph": ("graph/",),
    "tasks and queries": ("evaluation/tasks", "evaluation/query_set"),
    "BM25 and dense seeders": (
        "recall/bm25", "recall/words", "recall/dense", "recall/vectors", "recall/embedders",
        "recall/known",
    ),
    "floors": ("recall/floors",),
    "fusion and injection": ("recall/fusion", "recall/injection", "recall/tokens"),
    "traces": ("recall/trace", "experiment/tracing"),
    "judging": ("evaluation/judge", "evaluation/measures", "evaluation/ties", "evaluation/spec"),
    "statistics": ("evaluation/paired", "evaluation/bootstrap", "evaluation/attribution"),
    "leaderboard": ("evaluation/leaderboard", "evaluation/trec", "runs/", "records/"),
    "figures": ("plots/", "evaluation/curves"),
}  # fmt: skip
IMPORTS, REST = "imports", "settings and the rest"


class Profile:
    """Processor seconds by stage and by function."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()
        self.last = 0.0

    def start(self) -> None:
        """Begin to look."""
        self.last = time.process_time()
        signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, LOOK_SECONDS, LOOK_SECONDS)

    def stop(self) -> None:
        """Look no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def look(self, number, frame) -> None:
        """Book what was used since the look before on where the main thread is."""
        now = time.process_time()
        used, self.last = now - self.last, now
        stage, function = where(frame)
        self.stages[stage] += used
        self.functions[function] += used


def where(frame):
    """(stage, file:function) of a frame of the main thread."""
    place = None
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith("<frozen importlib"):
            return IMPORTS, IMPORTS
        if place is None and code.co_filename.startswith(PACKAGE):
            place = code.co_filename.removeprefix(PACKAGE), code.co_name
        frame = frame.f_back
    if place is None:
        return REST, REST
    path, function = place
    for stage, beginnings in STAGES.items():
        if path.startswith(beginnings):
            return stage, f"{path}:{function}"
    return REST, f"{path}:{function}"


def run(settings):
    """The whole command in this process, looked at; the profile."""
    profile, arguments = Profile(), sys.argv
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["hebb_lab.run", "+exp=ablation", f"paths.runs={folder}", *settings]
        profile.start()
        try:
            runpy.run_module("hebb_lab.run", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            if end.code:
                raise
        finally:
            profile.stop()
            sys.argv = arguments
        assert list(Path(folder).glob("*/*/figures/*")), "the run did not end"
    return profile


def table(profile, name, most=12):
    """The shares as a section of Markdown."""
    whole = sum(profile.stages.values())
    lines = [f"## {name}", "", f"{whole:.1f} processor seconds.", "", "| stage | s | share |"]
    lines += ["|---|---|---|"]
    rows = profile.stages.most_common()
    lines += [f"| {stage} | {used:.2f} | {used / whole:.1%} |" for stage, used in rows]
    lines += ["", "| function | s | share |", "|---|---|---|"]
    rows = profile.functions.most_common(most)
    lines += [f"| `{function}` | {used:.2f} | {used / whole:.1%} |" for function, used in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Profile one run; its section replaces that of the same name in the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="a Markdown file that keeps the sections")
    parser.add_argument("--name", default="the built-in simulated agent")
    parser.add_argument("settings", nargs="*", metavar="SETTING")
    options = parser.parse_args()
    section = table(run(options.settings), options.name)
    sys.stdout.write("\n" + section)
    if options.write:
        options.write.write_text(kept(options.write, options.name, section))


def kept(file, name, section):
    """The file's text with the section put in."""
    parts = file.read_text().split("\n## ") if file.exists() else [HEAD]
    others = [part for part in parts[1:] if part.splitlines()[0] != name]
    sections = [*others, section.removeprefix("## ")]
    return parts[0].rstrip() + "\n" + "".join(f"\n## {part.rstrip()}\n" for part in sections)


HEAD = f"""# Where the time of a default ablation goes

`python -m tests.benchmarks.profile_ablation --write experiments/kernels/profile.md SETTING …`:
processor time of one whole run, by stage, from the first import to the last figure
({platform.machine()}, kernels compiled before).
"""


if __name__ == "__main__":
    main()
