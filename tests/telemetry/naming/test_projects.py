import subprocess

import pytest

from hebb_lab.telemetry.naming import Projects


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "paths.txt"
    path.write_text("README.md\nsrc/a.py\nsrc/sub/b.py\n")
    return Projects(tracked_paths=path)


@pytest.fixture
def repository(tmp_path):
    repo = tmp_path / "repo"
    (repo / "src").mkdir(parents=True)
    (repo / "src" / "a.py").write_text("")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", repo, *command], check=True, capture_output=True)
    return repo


@pytest.mark.parametrize(
    ("raw", "cwd", "name", "kind"),
    [
        ("/gone/repo/src/a.py", "/gone/repo", "src/a.py", "file"),
        ("/other/worktree/src/a.py", "/gone/repo", "src/a.py", "file"),
        ("a.py", "/gone/repo/src", "src/a.py", "file"),
        ("../README.md", "/gone/repo/src", "README.md", "file"),
        ("/gone/repo/src", "/gone/repo", "dir:src", "dir"),
        ("/gone/repo", "/gone/repo", "dir:.", "dir"),
        ("/gone/repo/new/c.py", "/gone/repo", "new/c.py", "file"),
        ("c.py", "/gone/repo/src/sub", "src/sub/c.py", "file"),
        ("/gone/repo/src/README.md", "/gone/repo", "src/README.md", "file"),
    ],
)
def test_a_path_is_named_as_the_repository_names_it(listed, raw, cwd, name, kind):
    assert listed.node(raw, cwd) == (name, kind)


def test_a_path_outside_is_external(listed):
    assert listed.node("/etc/passwd", "/gone/repo").kind == "external"


def test_paths_that_the_given_list_does_not_hold_are_counted_once(listed):
    assert listed.unlisted() is None
    for raw in ("src/a.py", "src/a.py", "src", ".", "src/new.py", "src/new.py", "/etc/hosts"):
        listed.node(raw, "/gone/repo")
    listed.known("README.md", "/gone/repo")
    assert listed.unlisted() == (2, 5)
    own = Projects()
    own.node("a.py", "/gone/repo")
    assert own.unlisted() is None


def test_without_a_list_a_path_is_relative_to_the_first_working_directory():
    projects = Projects()
    assert projects.node("/gone/p/x/y.py", "/gone/p").name == "x/y.py"
    assert projects.node("y.py", "/gone/p/x", base="/gone/p").name == "x/y.py"
    assert projects.node("/gone/p/z.py", "/gone/p/x", base="/gone/p").name == "z.py"
    assert projects.node("C:\\P\\x\\y.py", "c:\\p").name == "x/y.py"
    assert projects.node("a.py").name == "a.py"


def test_the_repository_at_the_working_directory_is_found(repository):
    projects = Projects()
    assert projects.node("a.py", str(repository / "src")) == ("src/a.py", "file")
    assert projects.node("/container/src/a.py", str(repository)) == ("src/a.py", "file")
    assert projects.node("new.py", str(repository / "src")) == ("src/new.py", "file")
    assert projects.name_of(str(repository / "src")) == str(repository)


def test_a_repository_that_is_named_wins(repository):
    projects = Projects(repo=repository)
    assert projects.node("/gone/x/src/a.py", "/gone/x") == ("src/a.py", "file")


def test_a_word_is_known_when_it_was_tracked_or_else_touched(listed):
    assert listed.known("src/a.py", "/gone/repo").name == "src/a.py"
    assert listed.known("src/new.py", "/gone/repo") is None
    assert listed.known("src", "/gone/repo") is None
    free = Projects()
    assert free.known("a.py", "/gone/p") is None
    free.node("/gone/p/a.py", "/gone/p")
    assert free.known("a.py", "/gone/p").name == "a.py"


def test_a_working_directory_that_never_touched_the_repository_is_another_project(listed):
    listed.node("/gone/repo/src/a.py", "/gone/repo")
    listed.node("/else/x.py", "/gone/other")
    assert listed.name_of("/gone/repo") == "paths"
    assert listed.name_of("/gone/other") == "/gone/other"
