"""The table of speeds, made of numbers that are known."""

import json
import sys

import pytest

from tests.benchmarks.child import measure
from tests.benchmarks.table import newest, result_of, table_of
from tests.benchmarks.transcripts import long_lines, realistic_lines
from tests.benchmarks.values import Value


def session(time, *rows):
    machine = {
        "cpu": {"brand_raw": "A Processor"}, "cores": 2, "memory_gb": 25,
        "system": "Linux", "release": "6.1-x", "python_version": "3.11.7",
        "versions": {"numpy": "2.4"},
    }  # fmt: skip
    commit = {"id": "0123456789abcdef", "dirty": True}
    return {"datetime": time, "machine_info": machine, "commit_info": commit, "benchmarks": rows}


def row(name, *values):
    info = {"what": f"what of {name}", "method": "by hand", "load_before": 0.2,
            "values": [value.as_dict() for value in values]}  # fmt: skip
    return {"fullname": name, "name": name, "extra_info": info, "stats": {"rounds": 3}}


@pytest.mark.parametrize(
    ("samples", "goal", "met"),
    [
        ((1, 2, 90), {"at_most": 2}, True),
        ((1, 3, 3), {"at_most": 2}, False),
        ((60, 61, 1), {"at_least": 60}, True),
        ((60, 59, 59), {"at_least": 60}, False),
        ((1, 2, 3), {}, None),
    ],
)
def test_the_median_is_held_against_the_goal(samples, goal, met):
    assert Value("v", "s", samples, **goal).as_dict()["met"] is met


def test_of_each_benchmark_the_newest_numbers_count(tmp_path):
    old = session("2026-01-01T00:00:00", row("a", Value("v", "s", (1,))), row("b"))
    new = session("2026-01-02T00:00:00", row("a", Value("v", "s", (2,))))
    for name, kept in (("0001_new", new), ("0002_old", old)):
        (tmp_path / "m").mkdir(exist_ok=True)
        (tmp_path / "m" / f"{name}.json").write_text(json.dumps(kept))
    found = newest(tmp_path)
    assert sorted(found) == ["a", "b"]
    assert found["a"][0]["extra_info"]["values"][0]["samples"] == [2]


def test_a_row_says_value_spread_goal_and_whether_it_was_met():
    kept = session("2026-01-01T00:00:00", row("a", Value("wall time", "s", (1, 2, 130), at_most=1)))
    text = table_of([result_of(kept["benchmarks"][0], kept)])
    assert "| what of a | wall time | 2 s (1 to 130) | ≤ 1 s | **no** | 3 |" in text
    assert "Machine: A Processor, 2 cores, 25 GB, Linux 6.1" in text
    assert "commit 0123456789ab+" in text


def test_the_made_lines_have_the_lengths_of_real_ones():
    lengths = sorted(map(len, realistic_lines(4000)))
    median, p95, p99 = (lengths[int(share * 4000)] for share in (0.5, 0.95, 0.99))
    assert median == pytest.approx(1000, rel=0.25)
    assert p95 == pytest.approx(15_000, rel=0.25)
    assert p99 == pytest.approx(50_000, rel=0.35)


def test_the_long_lines_are_json_of_two_megabytes():
    lines = list(long_lines(8_000_000))
    assert len(lines) == 4
    assert all(1.8e6 < len(line) < 2.4e6 and json.loads(line) for line in lines)


def test_a_child_is_measured_without_its_parents_memory():
    held = bytearray(400_000_000)
    held[::4096] = b"x" * len(held[::4096])
    small = measure(sys.executable, "-c", "print('hello')")
    large = measure(sys.executable, "-c", "x = b'x' * 200_000_000; raise SystemExit(3)")
    assert (small.code, small.output) == (0, "hello\n")
    assert small.peak_mb < 100
    assert large.code == 3
    assert large.peak_mb > 200
