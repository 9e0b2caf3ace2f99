"""The report is made from folders alone, as often as one likes, and its exit code tells all."""

import csv
import json
import subprocess
import sys

import pytest

from hebb_lab import report
from hebb_lab.runs import RunWriter, read_run
from tests.runs import synthetic

ARMS = ("random", "half_life_7d", "half_life_30d")
QUICK = ["--resamples", "20", "--format", "md", "csv", "json", "tex"]
SPEC = (
    "dataset", "dataset_sha256", "task", "arm", "metric", "value", "ci95", "delta", "delta_ci95",
    "p_holm", "n", "tokens_per_query", "ms_per_query", "inert", "status", "config_id", "commit",
    "excluded", "seed", "edges_per_query", "bytes_per_memory", "wall_s", "k_effective", "tie_mass",
    "tie_band",
)  # fmt: skip


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


def make(runs, name="simulated", arms=ARMS, **more):
    return synthetic.write_run(runs, name, arms=arms, queries=40, sessions=8, **more)


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_all_is_well_gives_zero_and_says_where_to_look(runs, capsys):
    folder = make(runs)
    assert report.main([str(runs), *QUICK]) == 0
    out, err = capsys.readouterr()
    assert out == f"{runs / 'leaderboard.md'}\n"
    assert err == ""
    for place in (runs, folder):
        for ending in ("md", "csv", "json", "tex"):
            assert (place / f"leaderboard.{ending}").stat().st_size > 0


def test_leaderboard_json_has_the_promised_keys(runs):
    folder = make(runs)
    report.main([str(runs), *QUICK])
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    assert len(rows) == len(ARMS) * 2 * 4
    assert set(SPEC) <= rows[0].keys()


def test_all_formats_hold_the_same_rows(runs):
    folder = make(runs)
    report.main([str(runs), *QUICK])
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    with (folder / "leaderboard.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [row["arm"] for row in table] == [row["arm"] for row in rows]
    assert [float(row["value"]) for row in table] == [row["value"] for row in rows]
    for ending in ("md", "tex"):
        text = (folder / f"leaderboard.{ending}").read_text().replace("\\_", "_")
        assert all(arm in text for arm in ARMS)


def test_reporting_again_changes_no_byte(runs):
    make(runs)
    command = [str(runs), "--resamples", "20"]
    assert report.main(command) == 0
    first = contents(runs)
    assert report.main(command) == 0
    assert contents(runs) == first
    assert any(name.endswith(".png") for name in first)


def test_what_the_report_says_does_not_depend_on_what_it_said_before(runs):
    folder = make(runs)
    before = set(contents(folder))
    report.main([str(runs), *QUICK])
    one = contents(runs)
    for name in set(contents(folder)) - before:
        (folder / name).unlink()
    report.main([str(runs), *QUICK])
    assert contents(runs) == one


def test_figures_stand_in_the_folder_and_in_the_table(runs):
    folder = make(runs)
    assert report.main([str(folder), "--resamples", "20", "--format", "md", "png"]) == 0
    pictures = sorted(p.name for p in (folder / "figures").iterdir())
    assert "any_at_k_first_touch.png" in pictures
    text = (folder / "leaderboard.md").read_text()
    assert all(f"(figures/{name})" in text for name in pictures)
    assert all((folder / "figures" / n).read_bytes().startswith(b"\x89PNG") for n in pictures)


def test_a_figure_that_is_no_longer_made_goes_and_other_formats_stay(runs):
    folder = make(runs)
    (folder / "figures").mkdir()
    for name in ("gone.png", "kept.svg", "note.txt"):
        (folder / "figures" / name).write_text("old")
    report.main([str(folder), "--resamples", "20", "--format", "png"])
    left = {p.name for p in (folder / "figures").iterdir()}
    assert "gone.png" not in left
    assert {"kept.svg", "note.txt"} <= left


def test_out_leaves_the_runs_untouched(runs, tmp_path):
    folder = make(runs)
    before = contents(runs)
    out = tmp_path / "out"
    assert report.main([str(runs), "-o", str(out), *QUICK]) == 0
    assert contents(runs) == before
    assert (out / "leaderboard.json").exists()
    assert (out / "ablation" / folder.name / "leaderboard.json").exists()


def test_one_run_goes_straight_to_out(runs, tmp_path):
    folder = make(runs)
    report.main([str(folder), "-o", str(tmp_path / "out"), *QUICK])
    assert (tmp_path / "out" / "leaderboard.json").exists()
    assert not (tmp_path / "out" / "ablation").exists()


def test_data_sets_that_were_asked_the_same_get_a_mean(runs):
    make(runs, "git:one")
    make(runs, "git:other")
    report.main([str(runs), "--resamples", "20", "--format", "json", "svg"])
    for kind in ("any_at_k", "R_at_k", "forest"):
        assert (runs / "figures" / f"macro_{kind}_first_touch.svg").exists()
    rows = json.loads((runs / "leaderboard.json").read_text())["rows"]
    assert rows[0]["dataset"] == "macro(2)"
    assert {row["dataset"] for row in rows} == {"macro(2)", "git:other", "git:one"}
    picked = {r["dataset"]: r["value"] for r in rows if r["arm"] == "random"
              and r["task"] == "first_touch" and r["metric"] == "R@10"}  # fmt: skip
    assert picked["macro(2)"] == pytest.approx((picked["git:other"] + picked["git:one"]) / 2)


def test_a_failed_arm_is_named_and_the_others_are_reported(runs, capsys):
    folder = make(runs, arms=(*ARMS, "dense"))
    assert report.main([str(runs), *QUICK]) == 1
    assert "failed arms: dense" in capsys.readouterr().err
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    assert {row["arm"]: row["status"] for row in rows} == {
        "random": "ok", "half_life_7d": "ok", "half_life_30d": "ok", "dense": "failed",
    }  # fmt: skip


def test_a_skipped_arm_is_no_failure(runs, capsys):
    folder = runs / "ablation" / "0123456789ab"
    with RunWriter(folder, {}) as writer:
        rows = synthetic.per_query("random", 0.0, 0, 8, 40)
        writer.write_arm({**synthetic.entry("random", "floor"), "base": None}, rows)
        writer.skip_arm(
            {**synthetic.entry("dense", "floor"), "base": "random"}, "no embedding model"
        )
        writer.assemble(
            {**synthetic.result_of("x", 8, 40), "run_id": folder.name}, ("random", "dense"), {}
        )
        writer.publish()
    assert read_run(folder).result["status"] == "ok"
    assert report.main([str(runs), *QUICK]) == 0
    assert "dense skipped: no embedding model" in (folder / "leaderboard.md").read_text()


@pytest.mark.parametrize("damage", ["result.json", "per_query.parquet", "wrong"])
def test_a_broken_run_is_named_and_the_whole_ones_are_reported(runs, capsys, damage):
    good, bad = make(runs), make(runs, "other")
    if damage == "wrong":
        result = json.loads((bad / "result.json").read_text())
        del result["tasks"][0]["headline"]
        (bad / "result.json").write_text(json.dumps(result))
    else:
        (bad / damage).write_bytes(b"")
    assert report.main([str(runs), *QUICK]) == 1
    assert str(bad) in capsys.readouterr().err
    assert (good / "leaderboard.json").exists()
    rows = json.loads((runs / "leaderboard.json").read_text())["rows"]
    assert {row["dataset"] for row in rows} == {"simulated"}


def test_an_unfinished_run_is_named_with_what_to_do(runs, capsys):
    make(runs)
    partial = make(runs, "other", publish=False)
    assert report.main([str(runs), *QUICK]) == 1
    assert f"{partial}: unfinished. Run it again" in capsys.readouterr().err


def test_only_unfinished_runs_give_one_and_no_table(runs, capsys):
    make(runs, publish=False)
    assert report.main([str(runs), *QUICK]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("what", ["missing", "empty", "file"])
def test_what_the_user_must_mend_gives_two_and_the_cure(tmp_path, capsys, what):
    path = tmp_path / what
    if what == "empty":
        path.mkdir()
    if what == "file":
        path.write_text("")
    assert report.main([str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(str(path))
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "wrong", [["--resamples", "0"], ["--format", "docx"], ["--resamples", "x"]]
)
def test_a_wrong_option_gives_two(runs, wrong, capsys):
    with pytest.raises(SystemExit) as exit_:
        report.main([str(runs), *wrong])
    assert exit_.value.code == 2
    capsys.readouterr()


def refuse(monkeypatch, *refused):
    """As where the folder is read-only; a test may run as root, whom nothing stops."""

    def probe(place):
        if place in refused:
            raise PermissionError(13, "Permission denied", str(place / "tmp123"))

    monkeypatch.setattr(report, "_probe", probe)


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/x"])
def test_an_out_that_cannot_be_written_gives_two_its_name_and_the_cure(
    runs, tmp_path, capsys, place
):
    make(runs)
    (tmp_path / "file").write_text("mine")
    out = tmp_path / place
    assert report.main([str(runs), "-o", str(out), *QUICK]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{out}: the report cannot be written here (")
    assert "-o OUT" in said.err
    assert "broken" not in said.err
    assert said.err.count("\n") == 1
    assert (tmp_path / "file").read_text() == "mine"


def test_a_run_folder_that_cannot_be_written_is_named_and_the_others_are_reported(
    runs, capsys, monkeypatch
):
    good, closed = make(runs), make(runs, "other")
    refuse(monkeypatch, closed)
    assert report.main([str(runs), *QUICK]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"{closed}: the report cannot be written here (Permission denied). ")
    assert (good / "leaderboard.json").exists()
    refuse(monkeypatch, runs)
    assert report.main([str(runs), *QUICK]) == 2
    assert capsys.readouterr().err.startswith(f"{runs}: the report cannot")


def test_a_folder_in_the_way_of_a_table_is_no_broken_run(runs, capsys):
    folder = make(runs)
    (folder / "leaderboard.md").mkdir()
    assert report.main([str(folder), *QUICK]) == 2
    assert "cannot be written here (Is a directory)" in capsys.readouterr().err


def test_a_run_can_report_itself_before_it_is_published(runs):
    partial = make(runs, publish=False)
    with RunWriter(partial.with_name(partial.name.removesuffix(".partial")), {}) as writer:
        result = {**synthetic.result_of("simulated", 8, 40), "run_id": "0123456789ab"}
        writer.assemble(result, ARMS, {})
        board = report.write_run(
            read_run(writer.partial), writer.partial, report.Options(("json",))
        )
        folder = writer.publish()
    assert board.rows.height == len(ARMS) * 2 * 4
    assert (folder / "leaderboard.json").exists()


def test_help_needs_nothing_heavy():
    code = (
        "import sys, hebb_lab.report as r\n"
        "try: r.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('torch', 'matplotlib', 'scipy', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Exit code" in done.stdout
