import gzip
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.telemetry.naming.paths import (
    PathIndex,
    external,
    index_of_list,
    index_of_repository,
    take_apart,
)

INDEX = PathIndex("repo", ["README.md", "src/a.py", "src/sub/a.py", "Docs/Guide.md"])


@pytest.mark.parametrize(
    ("raw", "node"),
    [
        ("/home/me/wt/src/sub/a.py", "src/sub/a.py"),
        ("/home/me/wt/src/a.py", "src/a.py"),
        ("/testbed/src/../src/./a.py", "src/a.py"),
        ("C:\\Users\\me\\repo\\src\\a.py", "src/a.py"),
        ("C:\\Users\\me\\repo\\docs\\guide.MD", "Docs/Guide.md"),
        ("/c/Users/me/repo/SRC/a.py", "src/a.py"),
        ("/mnt/c/Users/me/repo/src/a.py", "src/a.py"),
        ("file:///c%3A/Users/me/repo/src/a.py", "src/a.py"),
        ("file:///home/me/repo/src/a.py", "src/a.py"),
        ("\\\\server\\share\\src\\a.py", "src/a.py"),
        ("/home/me/wt/src/sub", "src/sub"),
        ("/home/me/wt/docs/guide.md", None),
        ("/home/me/b.py", None),
    ],
)
def test_the_longest_tracked_suffix_names_the_node(raw, node):
    assert INDEX.longest_suffix(take_apart(raw)) == node


@given(st.lists(st.sampled_from(["ab", "cd", ".", "..", ""]), max_size=8))
def test_taking_apart_is_idempotent(parts):
    place = take_apart("/" + "/".join(parts))
    assert take_apart("/" + "/".join(place.parts)).parts == place.parts
    assert not {"", ".", ".."} & set(place.parts)


def test_a_path_outside_is_a_hash_that_hides_it_but_keeps_its_suffix():
    node = external(take_apart("/home/me/.ssh/id.pub"))
    assert node.kind == "external"
    assert node.name.startswith("ext:")
    assert node.name.endswith(".pub")
    assert "me" not in node.name
    assert node == external(take_apart("/home/me/.ssh/../.ssh/id.pub"))
    assert node != external(take_apart("/home/you/.ssh/id.pub"))


def test_a_list_is_read_plain_and_packed(tmp_path):
    plain, packed = tmp_path / "one.txt", tmp_path / "two.txt.gz"
    plain.write_text("a.py\r\nb/c.py\n\n")
    packed.write_bytes(gzip.compress(b"a.py\nb/c.py\n"))
    assert index_of_list(plain).files == index_of_list(packed).files == {"a.py", "b/c.py"}
    assert index_of_list(plain).folders == {"b"}


@pytest.mark.parametrize("data", [b"", b"\x1f\x8bnot gzip", None])
def test_a_list_that_cannot_be_read_says_so(tmp_path, data):
    path = tmp_path / "paths.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match="tracked paths"):
        index_of_list(path)


def test_every_path_of_every_branch_is_known(tmp_path):
    def git(*arguments):
        subprocess.run(
            ["git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            check=True,
            capture_output=True,
        )

    git("init", "-q", "-b", "main")
    (tmp_path / "old ü.py").write_text("1")
    git("add", ".")
    git("commit", "-qm", "one")
    git("mv", "old ü.py", "new.py")
    git("commit", "-qm", "two")
    git("checkout", "-qb", "side")
    (tmp_path / "side.py").write_text("1")
    git("add", ".")
    git("commit", "-qm", "three")
    git("checkout", "-q", "main")
    (tmp_path / "staged.py").write_text("1")
    git("add", ".")
    assert index_of_repository(tmp_path).files == {"old ü.py", "new.py", "side.py", "staged.py"}


def test_a_folder_without_repository_is_an_error(tmp_path):
    with pytest.raises(InputError, match="not a git repository"):
        index_of_repository(tmp_path)
