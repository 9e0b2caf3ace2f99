"""The table of speeds, made of numbers that are known."""

import json
import sys

import pytest

from tests.benchmarks.child import ROOT, measure
from tests.benchmarks.growth import draw
from tests.benchmarks.table import (
    FOLDERS,
    folder_of,
    measured_results,
    newest,
    reach,
    result_of,
    still_there,
    table_of,
    write,
)  # fmt: skip
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
    text = table_of([result_of(kept["benchmarks"][0], kept)], "# Head\n")
    assert text.startswith("# Head\n\nMachine: ")
    assert "| what of a | wall time | 2 s (1 to 130) | ≤ 1 s | **no** | 3 |" in text
    assert "Machine: A Processor, 2 cores, 25 GB, Linux 6.1, no GPU used; Python" in text
    assert "commit 0123456789ab+" in text


def test_a_row_from_a_gpu_names_the_device():
    kept = session("2026-01-01T00:00:00", row("a", Value("v", "s", (1,))))
    kept["benchmarks"][0]["extra_info"]["device"] = "cuda:0 (A Card)"
    text = table_of([result_of(kept["benchmarks"][0], kept)], "# Head")
    assert "25 GB, Linux 6.1, cuda:0 (A Card); Python" in text


def test_a_benchmark_that_is_gone_does_not_count(tmp_path):
    (tmp_path / "test_a.py").write_text("def test_one(benchmark):\n    pass\n")
    names = ["test_a.py::test_one[x]", "test_a.py::test_on", "test_b.py::test_one"]
    assert [still_there(name, tmp_path) for name in names] == [True, False, False]


def test_every_file_of_benchmarks_has_its_table():
    files = sorted((ROOT / "tests" / "benchmarks").glob("test_*.py"))
    marked = [path.stem for path in files if "pytest.mark.bench" in path.read_text()]
    listed = [stem for _, order in FOLDERS.values() for stem in order]
    assert sorted(set(marked) - {"test_table"}) == sorted(listed)
    assert folder_of("tests/benchmarks/test_spread.py::test_a[b]") == ("kernels", 1)
    assert folder_of("tests/benchmarks/test_gone.py::test_a") is None


def grown(line="replay", panel="events"):
    points = [[10**n, 1e-7 * 10**n, 0.9e-7 * 10**n, 1.2e-7 * 10**n] for n in range(4, 8)]
    return {"panel": panel, "line": line, "x": "events", "points": points, "slope": 1.0}


def test_tables_and_figure_are_written_to_their_folders(tmp_path):
    name = "tests/benchmarks/test_growth.py::test_replay_as_events_grow[light]"
    kept = session(
        "2026-01-01T00:00:00", row(name, Value("slope", "", (1,), at_most=1.05)),
        row("tests/benchmarks/test_reading.py::test_reading_real_sessions", Value("v", "s", (1,))),
    )  # fmt: skip
    kept["benchmarks"][0]["extra_info"]["growth"] = grown()
    (tmp_path / "saved" / "m").mkdir(parents=True)
    (tmp_path / "saved" / "m" / "0001.json").write_text(json.dumps(kept))
    write(measured_results(tmp_path / "saved"), tmp_path)
    assert "≤ 1.05" in (tmp_path / "kernels" / "README.md").read_text()
    assert "slope" not in (tmp_path / "speed" / "README.md").read_text()
    kept = json.loads((tmp_path / "kernels" / "results.json").read_text())
    assert kept["rows"][0]["growth"]["slope"] == 1.0
    assert (tmp_path / "kernels" / "growth.png").stat().st_size > 10_000


def test_the_figure_has_a_panel_for_each_thing_that_grows(tmp_path):
    rows = [{"growth": grown()}, {"growth": grown("walk", "nodes")}, {}]
    one, two = draw(rows[:1], tmp_path / "one")[0], draw(rows, tmp_path / "two")[0]
    assert two.stat().st_size > one.stat().st_size


def test_the_terminal_is_told_each_goal_and_whether_it_was_met():
    values = Value("ours", "s", (1, 2, 3), at_most=2), Value("peer", "s", (9,)), Value(
        "ratio", "×", (3,), at_least=4)  # fmt: skip
    kept = session("2026-01-01T00:00:00", row("a", *values), row("b", Value("v", "s", (1,))))
    text = reach([result_of(each, kept) for each in kept["benchmarks"]])
    assert "what of a\n  met     ours: 2 s (1 to 3), goal ≤ 2 s (3 rounds" in text
    assert "  MISSED  ratio: 3 ×, goal ≥ 4 ×" in text
    assert "what of b" not in text
    assert "1 of 2 goals met" in text


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
