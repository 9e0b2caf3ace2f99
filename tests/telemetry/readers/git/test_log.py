"""The history as git tells it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.telemetry.readers.git.log import Commit, Repository, parse_log, path_name

SHA = st.text("0123456789abcdef", min_size=40, max_size=40)
PATH = st.binary(min_size=1, max_size=12).filter(lambda path: b"\x00" not in path)
SUBJECT = st.text(
    st.characters(exclude_characters="\x00\n", exclude_categories=["Cs"]), max_size=12
)


@given(
    st.lists(st.tuples(SHA, st.integers(0, 2**33), SUBJECT,
                       st.lists(st.tuples(st.sampled_from("AMDT"), PATH), max_size=4)), max_size=5),
    st.integers(1, 30),
)  # fmt: skip
def test_any_paths_and_any_chunks_of_output_give_the_same_commits(commits, size):
    output = b""
    for sha, time, subject, changes in commits:
        output += f"\x01{sha} {time} {subject}".encode() + b"\x00"
        for number, (status, path) in enumerate(changes):
            output += b"\n" * (number == 0) + status.encode() + b"\x00" + path + b"\x00"
    chunks = [output[start : start + size] for start in range(0, len(output), size)]
    found = list(parse_log(chunks))
    assert [commit[:3] for commit in found] == [commit[:3] for commit in commits]
    assert [commit.changes for commit in found] == [
        [(status, path_name(path)) for status, path in changes] for *_, changes in commits
    ]


def test_the_commits_come_oldest_first_with_their_changes(repo):
    first = repo.commit("one", "a.py", "b.py")
    second = repo.commit("two", "a.py")
    (repo.folder / "b.py").unlink()
    third = repo.commit("three")
    assert list(Repository(repo.folder).commits()) == [
        Commit(first, 1_700_000_060, "one", [("A", "a.py"), ("A", "b.py")]),
        Commit(second, 1_700_000_120, "two", [("M", "a.py")]),
        Commit(third, 1_700_000_180, "three", [("D", "b.py")]),
    ]


def test_a_rename_is_a_deletion_and_an_addition(repo):
    repo.commit("one", "old.py")
    repo.git("mv", "old.py", "new.py")
    repo.commit("move")
    assert list(Repository(repo.folder).commits())[-1].changes == [("A", "new.py"), ("D", "old.py")]


def test_names_with_tabs_newlines_quotes_and_odd_bytes_are_read_whole(repo):
    names = [b"tab\there", b"new\nline", b'quo"te', b"\x01mark", b"caf\xe9", "ø".encode(), b" s "]
    try:
        repo.write(*names)
    except OSError:
        pytest.skip("this file system does not take any byte in a name")
    repo.commit("odd")
    commit = next(Repository(repo.folder).commits())
    assert sorted(name for _, name in commit.changes) == sorted(map(path_name, names))
    assert commit.not_utf8 == 1


def test_a_parent_comes_before_its_child_when_the_clock_goes_back(repo):
    shas = [repo.commit("one", "a"), repo.commit("two", "a", after=-5000),
            repo.commit("three", "a", after=60)]  # fmt: skip
    found = list(Repository(repo.folder).commits())
    assert [commit.sha for commit in found] == shas
    assert [commit.time_s for commit in found] == [1_700_000_060, 1_699_995_060, 1_699_995_120]


def test_merges_are_not_read_but_counted_and_both_sides_are(repo):
    repo.commit("one", "a")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", "b")
    repo.git("checkout", "-q", "main")
    main = repo.commit("main", "c")
    repo.time += 60
    repo.git("merge", "-q", "--no-ff", "-m", "join", "side")
    repository = Repository(repo.folder)
    assert [commit.sha for commit in repository.commits()][1:] == [side, main]
    assert repository.merges() == 1


def test_a_bare_repository_a_worktree_a_git_folder_and_a_subfolder_give_the_same(repo, tmp_path):
    repo.commit("one", "src/a.py")
    repo.commit("two", "src/a.py", "b.py")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    commits = list(Repository(repo.folder).commits())
    folders = ("bare.git", "tree", "repo/.git", "repo/src")
    for folder in folders:
        assert list(Repository(tmp_path / folder).commits()) == commits, folder


def test_another_branch_is_read_when_it_is_named(repo):
    repo.commit("one", "a")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", "b")
    repo.git("checkout", "-q", "main")
    assert side not in [commit.sha for commit in Repository(repo.folder).commits()]
    assert side in [commit.sha for commit in Repository(repo.folder, "side").commits()]


def test_a_branch_that_does_not_exist_is_answered_with_those_that_do(repo):
    repo.commit("one", "a")
    with pytest.raises(InputError, match=r"no branch 'nope'. Set dataset.branch to one of: main"):
        Repository(repo.folder, "nope").check()


def test_a_branch_cannot_smuggle_an_option(repo):
    with pytest.raises(ConfigError, match="'--output=x' is no branch"):
        Repository(repo.folder, "--output=x").check()


def test_a_repository_without_commits_says_so(repo):
    with pytest.raises(InputError, match=r"has no commits yet. Commit something first"):
        Repository(repo.folder).check()


def test_a_bare_clone_whose_head_names_a_missing_branch_lists_the_branches(repo):
    repo.commit("one", "a")
    repo.git("symbolic-ref", "HEAD", "refs/heads/master")
    with pytest.raises(InputError, match=r"HEAD names no commit. Set dataset.branch to one of"):
        Repository(repo.folder).check()


def test_a_folder_outside_any_repository_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(InputError, match="not a git repository, nor a folder inside one"):
        Repository(tmp_path).check()


def test_a_missing_git_is_said_with_the_way_around_it(repo, monkeypatch):
    monkeypatch.setenv("PATH", str(repo.folder))
    with pytest.raises(InputError, match=r"git is not installed.*history as .tsv"):
        Repository(repo.folder).check()


def test_the_repository_of_another_user_is_answered_with_the_command_that_trusts_it(repo):
    repo.commit("one", "a")
    said = b"fatal: detected dubious ownership in repository at '/srv/x'\nTo add an exception"
    error = Repository(repo.folder)._error(said)
    assert f"git config --global --add safe.directory '{repo.folder}'" in str(error)


def test_what_git_says_when_it_fails_is_shown(repo):
    repo.commit("one", "a")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    (repo.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(InputError, match=f"git failed: .*{tree}"):
        list(Repository(repo.folder).commits())


def test_variables_of_a_git_hook_do_not_lead_to_another_repository(repo, tmp_path, monkeypatch):
    repo.commit("one", "a")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert len(list(Repository(repo.folder).commits())) == 1
