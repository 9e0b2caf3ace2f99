"""What a run ran on."""

import subprocess

from hebb_lab.runs import as_json, commit, describe
from hebb_lab.runs.environment import package_versions, peak_memory_bytes


def git(folder, *arguments):
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", folder, *who, *arguments], check=True, capture_output=True)


def test_the_commit_is_dirty_once_a_tracked_file_differs(tmp_path):
    git(tmp_path, "init")
    (tmp_path / "a").write_text("1")
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "-m", "one")
    sha, dirty = commit(tmp_path)
    assert (len(sha), dirty) == (40, False)
    (tmp_path / "untracked").write_text("")
    assert commit(tmp_path) == (sha, False)
    (tmp_path / "a").write_text("2")
    assert commit(tmp_path) == (sha, True)


def test_code_outside_a_checkout_has_no_commit(tmp_path):
    git(tmp_path, "init")
    inside = tmp_path / "lib" / "site-packages"
    inside.mkdir(parents=True)
    assert commit(inside) == (None, False)


def test_a_checkout_without_commits_has_none(tmp_path):
    git(tmp_path, "init")
    assert commit(tmp_path) == (None, False)


def test_everything_about_the_machine_fits_in_json():
    env = describe("cpu", {"numpy": 0}, 1.23456, note="x")
    assert as_json(env)
    assert env["wall_seconds"] == 1.235
    assert env["note"] == "x"
    assert {"python", "numpy", "polars"} <= package_versions().keys()
    assert peak_memory_bytes() > 10_000_000
