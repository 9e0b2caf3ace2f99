"""A run is there whole or not at all, and nothing that was finished runs twice."""

import json

import polars as pl
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.runs import PER_QUERY_SCHEMA, RunWriter, find_runs, read_run, status
from tests.runs import synthetic

ARMS = ("random", "half_life_7d", "dense", "oracle")


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def frame():
    return synthetic.per_query("random", 0.0, seed=1, sessions=3, queries=6)


def writer_of(tmp_path):
    return RunWriter(tmp_path / "ablation" / "0123456789ab", {"seed": 0})


def test_a_whole_run_stands_at_its_name_and_leaves_nothing_beside(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=ARMS, failed=())
    assert [p.name for p in folder.parent.iterdir()] == [folder.name]
    assert sorted(p.name for p in folder.iterdir()) == [
        "config.yaml", "env.json", "per_query.parquet", "qrels.trec", "result.json", "run.trec",
    ]  # fmt: skip
    assert status(folder) == "ok"
    assert read_run(folder).per_query["arm"].unique(maintain_order=True).to_list() == list(ARMS)


def test_two_runs_of_the_same_thing_are_byte_identical(tmp_path):
    one, two = (synthetic.write_run(tmp_path / d, arms=ARMS, failed=()) for d in "ab")
    assert contents(one) == contents(two)


def test_a_failed_arm_leaves_its_traceback_and_the_others_go_on(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=ARMS)
    run = read_run(folder)
    assert status(folder) == "failed_arms"
    assert run.failed == ["dense"]
    assert run.arms["dense"]["error"] == "RuntimeError: no embedding model is installed"
    assert 'raise RuntimeError("no embed' in (folder / "arms/dense.traceback.txt").read_text()
    assert set(run.per_query["arm"]) == set(ARMS) - {"dense"}


def test_only_the_failed_arms_are_left_to_run_again(tmp_path, frame):
    folder = synthetic.write_run(tmp_path, arms=ARMS)
    before = read_run(folder)
    with RunWriter(folder, before.config) as writer:
        assert set(writer.finished_arms()) == set(ARMS) - {"dense"}
        assert status(folder) == "failed_arms"  # the stored run stays until the new one is whole
        again = frame.with_columns(arm=pl.lit("dense"))
        writer.write_arm(synthetic.entry("dense", "floor"), again)
        rest = {k: v for k, v in before.result.items() if k not in ("status", "arms")}
        writer.assemble(rest, ARMS, {})
        writer.publish()
    after = read_run(folder)
    assert after.result["status"] == "ok"
    assert not (folder / "arms").exists()
    assert [p.name for p in folder.parent.iterdir()] == [folder.name]
    for arm in before.arms.keys() - {"dense"}:
        assert after.per_query.filter(arm=arm).equals(before.per_query.filter(arm=arm))


def test_an_interrupted_run_keeps_the_arms_it_had_finished(tmp_path):
    partial = synthetic.write_run(tmp_path, arms=ARMS, publish=False)
    final = partial.with_name(partial.name.removesuffix(".partial"))
    assert find_runs(tmp_path) == ([], [partial])
    assert status(final) is None
    with RunWriter(final, {}) as writer:
        assert set(writer.finished_arms()) == set(ARMS) - {"dense"}


def test_a_finished_arm_whose_rows_lack_a_column_of_this_version_runs_again(tmp_path):
    partial = synthetic.write_run(tmp_path, arms=ARMS, publish=False)
    rows = partial / "arms" / "random.parquet"
    pl.read_parquet(rows).drop("edges").write_parquet(rows)
    with RunWriter(partial.with_name(partial.name.removesuffix(".partial")), {}) as writer:
        assert set(writer.finished_arms()) == set(ARMS) - {"dense", "random"}


def test_an_arm_cut_off_while_it_was_written_is_not_finished(tmp_path, frame, monkeypatch):
    with writer_of(tmp_path) as writer:
        monkeypatch.setattr("hebb_lab.runs.writer.as_json", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            writer.write_arm(synthetic.entry("random", "floor"), frame)
        assert writer.finished_arms() == {}


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("json", b'{"arm":'),
        ("json", b"[1]"),
        ("parquet", b"PAR1"),
        ("parquet", None),
        ("trec", None),
    ],
)
def test_an_arm_whose_files_are_damaged_runs_again(tmp_path, frame, ending, content):
    with writer_of(tmp_path) as writer:
        writer.write_arm(synthetic.entry("random", "floor"), frame)
        assert set(writer.finished_arms()) == {"random"}
        file = writer.partial / "arms" / f"random.{ending}"
        file.unlink() if content is None else file.write_bytes(content)
        assert writer.finished_arms() == {}


def test_a_success_after_a_failure_takes_the_traceback_away(tmp_path, frame):
    with writer_of(tmp_path) as writer:
        writer.fail_arm(synthetic.entry("random", "floor"), ValueError("once"))
        writer.write_arm(synthetic.entry("random", "floor"), frame)
        assert set(writer.finished_arms()) == {"random"}
        assert not list((writer.partial / "arms").glob("*.traceback.txt"))


def test_the_trec_lines_of_the_arms_stand_in_the_order_of_the_leaderboard(tmp_path, frame):
    with writer_of(tmp_path) as writer:
        for arm in ("b/1", "a"):
            rows = frame.with_columns(arm=pl.lit(arm))
            writer.write_arm(synthetic.entry(arm, "floor"), rows, f"q1 Q0 n 1 0.5 {arm}\n")
        writer.assemble(synthetic.result_of("x", 3, 6), ("b/1", "a"), {})
        folder = writer.publish()
    assert (folder / "run.trec").read_text() == "q1 Q0 n 1 0.5 b/1\nq1 Q0 n 1 0.5 a\n"


def test_an_arm_without_a_single_finished_neighbour_gives_an_empty_table(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=("dense",))
    assert read_run(folder).per_query.schema == pl.Schema(PER_QUERY_SCHEMA)
    assert read_run(folder).per_query.is_empty()


def test_rows_of_another_shape_or_arm_are_refused(tmp_path, frame):
    with writer_of(tmp_path) as writer:
        for wrong in (frame.drop("tie"), frame.with_columns(arm=pl.lit("other"))):
            with pytest.raises(ValueError, match="random"):
                writer.write_arm(synthetic.entry("random", "floor"), wrong)


def test_a_second_process_does_not_write_the_same_run(tmp_path):
    with (
        writer_of(tmp_path),
        pytest.raises(ConfigError, match="another process"),
        writer_of(tmp_path),
    ):
        pass
    with writer_of(tmp_path):
        pass


def test_a_number_that_json_cannot_hold_is_refused(tmp_path, frame):
    with writer_of(tmp_path) as writer, pytest.raises(ValueError, match="JSON"):
        writer.write_arm(
            {**synthetic.entry("random", "floor"), "ms_per_query": float("nan")}, frame
        )


def test_a_stale_replaced_folder_is_cleared_away(tmp_path):
    folder = synthetic.write_run(tmp_path, arms=ARMS)
    stale = folder.with_name(folder.name + ".replaced")
    stale.mkdir()
    (stale / "result.json").write_text(json.dumps({}))
    assert find_runs(tmp_path) == ([folder], [])
    assert synthetic.write_run(tmp_path, arms=ARMS, failed=()) == folder
    assert not stale.exists()


def test_a_place_that_cannot_be_written_is_a_sentence_with_the_cure(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with (
        pytest.raises(ConfigError, match=r"paths\.runs=DIR"),
        RunWriter(tmp_path / "file" / "ablation" / "abc", {}),
    ):
        pass
