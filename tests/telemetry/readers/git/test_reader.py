"""Repositories and histories as touches.

The counts of the real histories are those of the index beside them: flask 3,805 commits and 643
paths, pyg 7,552 and 2,391; the seven commit files hold 12,912 commits and 55,745 changes (44,972 M,
8,476 A, 2,297 D).
"""

import gzip
import hashlib
import json

import pytest

from hebb_lab.errors import InputError
from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.reader import ReadOptions

HEADER = "#commit\tauthor_unix\tpath\n"


def _history(path, *rows, header=HEADER):
    path.write_text(header + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


def test_one_commit_is_one_session_and_one_turn(repo):
    first = repo.commit("one", "a.py", "b.py")
    (repo.folder / "b.py").unlink()
    second = repo.commit("two", "a.py")
    log = read_log(repo.folder)
    assert log.events.select("session", "turn", "op", "node").rows() == [
        (first, 1, "write", "a.py"), (first, 1, "write", "b.py"),
        (second, 1, "edit", "a.py"), (second, 1, "delete", "b.py"),
    ]  # fmt: skip
    assert (
        log.events["time_us"].to_list() == [1_700_000_060_000_000] * 2 + [1_700_000_120_000_000] * 2
    )
    assert set(log.events["source"]) == {"commit"}
    assert set(log.events["time_quality"]) == {"second"}


def test_the_subject_is_kept_as_a_hash_and_as_text_only_when_asked_for(repo):
    repo.commit("fix the thing", "a.py")
    hashed = hashlib.sha256(b"fix the thing").hexdigest()
    plain, kept = (
        read_log(repo.folder),
        read_log(repo.folder, options=ReadOptions(keep_prompts=True)),
    )
    assert plain.events["query_sha256"].item() == hashed
    assert plain.events["query"].item() is None
    assert kept.events["query"].item() == "fix the thing"


def test_commits_keep_their_order_when_clocks_go_back_and_the_report_counts_it(repo):
    shas = [repo.commit("one", "a"), repo.commit("two", "a", after=-5000),
            repo.commit("three", "a", after=0)]  # fmt: skip
    log = read_log(repo.folder)
    assert log.events["session"].to_list() == shas
    assert log.report.clock_steps_back == 1
    assert log.report.clock_largest_step_back_us == 5000 * 1_000_000


def test_a_folder_inside_a_repository_gives_the_whole_repository_and_says_so(repo):
    repo.commit("one", "src/a.py", "b.py")
    log = read_log(repo.folder / "src", "git")
    assert log.events["node"].to_list() == ["b.py", "src/a.py"]
    assert "whole repository" in log.report.warnings[0]


def test_histories_in_a_folder_of_a_repository_are_read_rather_than_it(repo):
    repo.commit("one", "a.py")
    (repo.folder / "logs").mkdir()
    _history(repo.folder / "logs" / "h.tsv", ("s", 1, "other.py"))
    assert read_log(repo.folder / "logs", "git").events["node"].to_list() == ["other.py"]


def test_the_edge_of_a_shallow_clone_is_left_out_with_a_warning(repo, tmp_path):
    for number in range(4):
        last = repo.commit(str(number), f"{number}.py")
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.folder}", str(tmp_path / "shallow"))
    log = read_log(tmp_path / "shallow")
    assert log.events.select("session", "node").rows() == [(last, "3.py")]
    assert "shallow clone" in log.report.warnings[0]
    assert sum(log.report.skipped.values()) == 1


def test_a_shallow_clone_of_depth_one_is_an_error_with_its_cure(repo, tmp_path):
    repo.commit("one", "a")
    repo.commit("two", "b")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.folder}", str(tmp_path / "shallow"))
    with pytest.raises(InputError, match="git fetch --unshallow"):
        read_log(tmp_path / "shallow")


def test_a_repository_of_empty_commits_is_an_error_not_a_result(repo):
    repo.commit("one")
    with pytest.raises(InputError, match="no touch of any file"):
        read_log(repo.folder)


def test_a_repository_without_commits_is_an_error(repo):
    with pytest.raises(InputError, match="no commits yet"):
        read_log(repo.folder)


def test_merges_and_odd_names_are_in_the_report(repo):
    repo.commit("one", b"caf\xe9")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", "b")
    repo.git("checkout", "-q", "main")
    repo.commit("main", "c")
    repo.git("merge", "-q", "--no-ff", "-m", "join", "side")
    report = read_log(repo.folder).report
    assert [count for why, count in report.skipped.items() if "merge" in why] == [1]
    assert "not UTF-8" in report.warnings[0]


def test_another_branch_is_read_when_it_is_named(repo):
    repo.commit("one", "a")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", "b")
    repo.git("checkout", "-q", "main")
    nodes = read_log(repo.folder, options=ReadOptions(branch="side")).events["node"].to_list()
    assert nodes == ["a", "b"]


def test_a_tsv_history_is_turned_so_that_the_oldest_commit_comes_first(tmp_path):
    path = _history(tmp_path / "h.tsv", ("c2", 20, "b"), ("c2", 20, "a"), ("c1", 10, "a"))
    events = read_log(path).events
    assert events.select("session", "node", "line", "byte").rows() == [
        ("c1", "a", 4, 41), ("c2", "b", 2, 25), ("c2", "a", 3, 33),
    ]  # fmt: skip


def test_a_tsv_history_that_begins_with_its_oldest_commit_is_left_so_and_said(tmp_path):
    log = read_log(_history(tmp_path / "h.tsv", ("c1", 10, "a"), ("c2", 20, "b")))
    assert log.events["session"].to_list() == ["c1", "c2"]
    assert "begins with its oldest commit" in log.report.warnings[0]


def test_rows_of_a_tsv_history_that_cannot_be_read_are_counted_with_their_place(tmp_path):
    path = _history(tmp_path / "h.tsv", ("c2", "noon", "b"), ("c1", 10), ("c1", 10, "a"))
    report = read_log(path).report
    assert report.skipped == {"not commit, unix time and path": 2}
    assert report.examples["not commit, unix time and path"] == [f"{path}:2", f"{path}:3"]


def test_a_jsonl_history_is_read_in_its_own_order_packed_or_not(tmp_path):
    commits = [{"sha": "c1", "t": 20, "s": "x", "f": [["A", "a"], ["D", "b"]]},
               {"sha": "c2", "t": 10, "s": "y", "f": [["M", "a"]]},
               {"sha": "c3", "t": 10, "f": [["M", 3]]}]  # fmt: skip
    path = tmp_path / "h.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(c) + "\n" for c in commits).encode()))
    log = read_log(path)
    assert log.events.select("session", "op", "node").rows() == [
        ("c1", "write", "a"), ("c1", "delete", "b"), ("c2", "edit", "a"),
    ]  # fmt: skip
    assert log.report.clock_steps_back == 1
    assert log.report.skipped == {"not a commit with sha, t and f": 1}


def test_a_commit_in_two_histories_is_read_once(tmp_path):
    for name in ("one.tsv", "two.tsv"):
        _history(tmp_path / name, ("c2", 20, "b"), ("c1", 10, "a"))
    report = read_log(tmp_path).report
    assert (report.events, report.duplicates) == (2, 2)


@pytest.mark.parametrize(
    ("name", "commits", "touches", "paths"),
    [("flask", 3805, 9418, 643), ("pyg", 7552, 25455, 2391)],
)
def test_a_real_history_has_the_commits_and_paths_of_its_index(
    shared_data, name, commits, touches, paths
):
    log = read_log(shared_data / "telemetry" / "git" / f"{name}.tsv")
    found = (log.report.sessions, log.report.events, log.events["node"].n_unique())
    assert found == (commits, touches, paths)
    assert not log.report.skipped


def test_the_real_commit_files_are_read_whole_and_in_their_order(shared_data):
    log = read_log(shared_data / "commits")
    assert (log.report.calls, log.report.events) == (12912, 55745)
    ops = dict(log.events["op"].value_counts().rows())
    assert ops == {"edit": 44972, "write": 8476, "delete": 2297}
    with gzip.open(shared_data / "commits" / "ranx.jsonl.gz", "rt") as lines:
        shas = [json.loads(line)["sha"] for line in lines]
    ranx = read_log(shared_data / "commits" / "ranx.jsonl.gz").events
    assert ranx["session"].unique(maintain_order=True).to_list() == shas
