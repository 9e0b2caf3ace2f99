"""The history of a repository as git itself tells it, commit by commit, oldest first."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from hebb_lab.errors import ConfigError, InputError

CHUNK = 1 << 16
_HEADER = re.compile(rb"\x01([0-9a-f]{40,64}) (-?\d*) (.*)", re.DOTALL)
_STATUS = re.compile(rb"[A-Z]\d*")
# What the user's own settings could change in the output, set back.
_SETTINGS = (
    "-c", "core.quotepath=off", "-c", "log.showSignature=false", "-c", "log.showRoot=true",
    "-c", "diff.relative=false", "-c", "i18n.logOutputEncoding=UTF-8",
)  # fmt: skip
# Variables that would make git look at another repository than the one that it is told (in a hook).
_REPOSITORY_VARIABLES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF",
)  # fmt: skip


class Commit(NamedTuple):
    """One commit.

    Args:
        sha: its full name.
        time_s: commit time, seconds since 1970; None where the commit has none.
        subject: the first line of its message.
        changes: (status letter, path) in the order of git; a rename is a deletion and an addition.
        not_utf8: how many of the paths have bytes that are not UTF-8.
    """

    sha: str
    time_s: int | None
    subject: str
    changes: list[tuple[str, str]]
    not_utf8: int = 0


class Repository:
    """A repository on this machine, read through ``git``.

    Args:
        folder: any folder inside it, its ``.git``, a worktree, or a bare repository.
        branch: branch, tag or commit whose history is read.
    """

    def __init__(self, folder: Path, branch: str = "HEAD") -> None:
        self.folder = folder
        self.branch = branch

    def check(self) -> None:
        """See that there is a history to read.

        Raises:
            ConfigError: the branch is not a name that git could know.
            InputError: git is not installed, the folder is in no repository or in one that belongs
                to someone else, the branch does not exist, there is no commit yet.
        """
        if self.branch.startswith("-") or not self.branch.strip():
            raise ConfigError(
                f"'{self.branch}' is no branch", "Set dataset.branch to a branch, tag or commit"
            )
        done = self._run("rev-parse", "--git-dir")
        if done.returncode:
            raise self._error(done.stderr)
        if self._run("rev-parse", "--verify", "--quiet", f"{self.branch}^{{commit}}").returncode:
            raise self._no_branch()

    def root(self) -> str:
        """The top folder of the working tree, or the folder itself in a bare repository."""
        done = self._run("rev-parse", "--show-toplevel")
        top = os.fsdecode(done.stdout.rstrip(b"\n"))
        return top if done.returncode == 0 and top else str(self.folder.resolve())

    def shallow_edge(self) -> frozenset[str]:
        """Commits whose parents were not fetched: git shows all their files as added."""
        if self._run("rev-parse", "--is-shallow-repository").stdout.strip() != b"true":
            return frozenset()
        where = os.fsdecode(self._run("rev-parse", "--git-path", "shallow").stdout.rstrip(b"\n"))
        return frozenset((self.folder / where).read_text().split())

    def merges(self) -> int:
        """How many merge commits the history has; they are not read."""
        done = self._run("rev-list", "--count", "--merges", self.branch, "--")
        return int(done.stdout) if done.returncode == 0 else 0

    def commits(self) -> Iterator[Commit]:
        """The commits without merges, oldest first, parents always before their children.

        Memory is that of one commit (git itself holds the list of commits).

        Raises:
            InputError: git fails on the way, with what it said.
        """
        command = self._command(
            "log", "--reverse", "--date-order", "--no-merges", "--no-renames", "--name-status",
            "--no-ext-diff", "--no-color", "-O/dev/null", "-z", "--format=%x01%H %ct %s",
            self.branch, "--",
        )  # fmt: skip
        with tempfile.TemporaryFile() as said:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=said, env=_environment()
            ) as process:
                assert process.stdout is not None  # noqa: S101
                yield from parse_log(_chunks(process.stdout))
            if process.returncode:
                said.seek(0)
                raise self._error(said.read())

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                self._command(*arguments), capture_output=True, check=False, env=_environment()
            )
        except FileNotFoundError as error:
            raise InputError(
                "git is not installed, or not on the PATH",
                "Install git (https://git-scm.com), or give the history as .tsv or .jsonl.gz",
                self.folder,
            ) from error

    def _command(self, *arguments: str) -> list[str]:
        return ["git", "-C", str(self.folder), *_SETTINGS, *arguments]

    def _no_branch(self) -> InputError:
        listed = self._run("for-each-ref", "--count=20", "--format=%(refname:short)")
        names = ", ".join(listed.stdout.decode(errors="replace").split())
        if not names:
            return InputError(
                "the repository has no commits yet",
                "Commit something first, or point dataset.path at a repository with a history",
                self.folder,
            )
        what = "HEAD names no commit" if self.branch == "HEAD" else f"no branch '{self.branch}'"
        return InputError(what, f"Set dataset.branch to one of: {names}", self.folder)

    def _error(self, stderr: bytes) -> InputError:
        said = " ".join(stderr.decode(errors="replace").split())
        if "dubious ownership" in said:
            safe = f"git config --global --add safe.directory '{self.folder.resolve()}'"
            return InputError(
                "the repository belongs to another user, so git refuses to read it",
                f"If you trust it: {safe}",
                self.folder,
            )
        if "not a git repository" in said:
            return InputError(
                "not a git repository, nor a folder inside one",
                "Point dataset.path at a clone, or at a history as .tsv or .jsonl.gz",
                self.folder,
            )
        return InputError(f"git failed: {said or 'it said nothing'}", "Try git log there yourself",
                          self.folder)  # fmt: skip


def parse_log(chunks: Iterable[bytes]) -> Iterator[Commit]:
    r"""The commits in the output of ``git log -z --name-status --format='%x01%H %ct %s'``.

    Statuses and paths alternate, so a path may hold any byte but NUL, also the mark \x01.

    >>> sha = b"a" * 40
    >>> list(parse_log([b"\x01" + sha + b" 7 fix\x00\nM\x00a\tb.py\x00"]))[0].changes
    [('M', 'a\tb.py')]
    """
    commit: Commit | None = None
    status: str | None = None
    for token in _tokens(chunks):
        if status is not None and commit is not None:
            name = path_name(token)
            commit.changes.append((status, name))
            if name.encode() != token:
                commit = commit._replace(not_utf8=commit.not_utf8 + 1)
            status = None
        elif (header := _HEADER.fullmatch(token)) is not None:
            if commit is not None:
                yield commit
            time_s = int(header[2]) if header[2].lstrip(b"-") else None
            commit = Commit(header[1].decode(), time_s, header[3].decode(errors="replace"), [])
        elif _STATUS.fullmatch(letter := token.lstrip(b"\n")):
            status = letter[:1].decode()
    if commit is not None:
        yield commit


def path_name(path: bytes) -> str:
    r"""A path as text; bytes that are not UTF-8 are written as ``\xNN``.

    >>> path_name(b"caf\xe9.txt")
    'caf\\xe9.txt'
    """
    return path.decode(errors="backslashreplace")


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\x00")
        yield from whole
    if rest:
        yield rest


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while chunk := stream.read(CHUNK):
        yield chunk


def _environment() -> dict[str, str]:
    """This process's variables, with git's messages in English and nothing asked or fetched."""
    kept = {name: value for name, value in os.environ.items() if name not in _REPOSITORY_VARIABLES}
    quiet = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    return kept | quiet | {"GIT_OPTIONAL_LOCKS": "0"}
