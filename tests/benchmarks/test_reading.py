"""How fast logs are read, and in how much memory."""

import os
import sys

import pytest

from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.reader import ReadOptions
from tests.benchmarks.child import measure
from tests.benchmarks.transcripts import long_lines, realistic_lines, write
from tests.benchmarks.values import Value, note, rounds_of

pytestmark = pytest.mark.bench

LONG_MB = int(os.environ.get("BENCH_LONG_MB", "2000"))
READ = "import sys; from hebb_lab.telemetry.discover import read_log; read_log(sys.argv[1])"


def test_reading_real_sessions(benchmark, shared_data):
    logs = shared_data / "telemetry"
    options = ReadOptions(tracked_paths=logs / "tracked_paths" / "entire_cli.txt.gz")
    log = benchmark.pedantic(
        read_log, (logs / "claude_code" / "entire_cli", "auto", options), rounds=5, warmup_rounds=1
    )
    rates = tuple(log.report.bytes_read / 1e6 / seconds for seconds in rounds_of(benchmark))
    note(
        benchmark,
        f"read 274 Claude Code sessions (entire_cli: {log.report.lines_read:,} lines, "
        f"{log.report.bytes_read / 1e6:.0f} MB unpacked)",
        "in one process, after one reading that warms the disk's cache; gzip unpacked on the way; "
        "bytes counted unpacked",
        Value("all of it", "s", rounds_of(benchmark), at_most=10),
        Value("rate", "MB/s", rates, at_least=60),
    )


def test_reading_lines_of_realistic_lengths(benchmark, tmp_path):
    path = tmp_path / "session.jsonl"
    size = write(path, realistic_lines(40_000)) / 1e6
    log = benchmark.pedantic(read_log, (path,), rounds=5, warmup_rounds=1)
    assert log.report.lines_read == 40_000
    path.unlink()
    note(
        benchmark,
        f"read 40,000 made lines ({size:.0f} MB)",
        "kinds and lengths as in real, uncut transcripts: median 1 kB, 95 % below 15 kB, 99 % "
        "below 50 kB; plain file, warm",
        Value("rate", "MB/s", tuple(size / s for s in rounds_of(benchmark)), at_least=60),
    )


def test_reading_a_log_of_very_long_lines(benchmark, tmp_path):
    path = tmp_path / "session.jsonl"
    size = write(path, long_lines(LONG_MB * 1_000_000)) / 1e6
    command = (sys.executable, "-c", READ, path)
    runs = [benchmark.pedantic(measure, command, rounds=1)]
    path.unlink()
    assert runs[0].code == 0, runs[0].output
    note(
        benchmark,
        f"read a log of {size / 1000:.1f} GB with lines of 2 MB",
        "a process of its own; peak memory by getrusage, interpreter and libraries included",
        Value("peak memory", "MB", tuple(run.peak_mb for run in runs), at_most=500),
        Value("wall time", "s", tuple(run.seconds for run in runs)),
    )
