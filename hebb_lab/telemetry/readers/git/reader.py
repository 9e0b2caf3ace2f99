"""Git repositories, and histories that were written to a file: one commit is one session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from hebb_lab.errors import InputError
from hebb_lab.telemetry.heads import head_of
from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.reader import READERS, Head, ReadOptions
from hebb_lab.telemetry.readers.git.log import Commit, Repository, path_name
from hebb_lab.telemetry.sink import EventSink

OPS = {"M": "edit", "T": "edit", "A": "write", "C": "write", "D": "delete"}
TSV_HEADER = b"#commit\tauthor_unix\tpath"
_LATEST_S = 253_402_300_799  # the year 9999; what lies beyond is no time
_MERGES = "merge commits, whose changes are those of the commits they join"
_EDGE = "commits at the edge of a shallow clone, whose changes are not known"


class _Row(NamedTuple):
    """One line of a TSV history."""

    sha: str
    time_s: int
    path: str
    line: int
    byte: int


@READERS.register("git")
class GitReader:
    """Commits as windows: what was changed together.

    Session = commit, one turn; M and T are ``edit``, A ``write``, D ``delete``; a rename is a
    deletion and an addition. Commits keep the order of the history, oldest first, whatever their
    clocks say. Times are commit times (author times in TSV histories), to the second.
    """

    name: ClassVar[str] = "git"
    describe: ClassVar[str] = "a git repository, or a history of commits as .tsv or .jsonl"

    def sniff(self, head: Head) -> bool:
        """A TSV history by its header, a JSONL history by the keys sha, t and f."""
        start = head.data.removeprefix(b"\xef\xbb\xbf")
        return start.startswith(TSV_HEADER) or bool(
            head.objects and {"sha", "t", "f"} <= head.objects[0].keys()
        )

    def claims_folder(self, folder: Path) -> bool:
        """The top of a working tree, a worktree, or a bare repository."""
        if (folder / ".git").exists():
            return True
        bare = (folder / "objects", folder / "refs")
        return (folder / "HEAD").is_file() and all(part.is_dir() for part in bare)

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read repositories and history files; a commit that was seen is not read again.

        Raises:
            InputError: a repository cannot be read or has no commits.
            ConfigError: ``options.branch`` is no name of a branch.
        """
        commits = _Commits(sink)
        for path in paths:
            if path.is_dir():
                _read_repository(Repository(path, options.branch), commits)
            elif head_of(path).objects:
                _read_jsonl(path, commits)
            else:
                _read_tsv(path, commits)


class _Commits:
    """Gives commits to the sink, each once."""

    def __init__(self, sink: EventSink) -> None:
        self.sink = sink
        self._seen: set[str] = set()

    def add(self, commit: Commit, file: str, places: Sequence[tuple[int, int]]) -> None:
        """One touch a changed path, in the order of the commit.

        Args:
            commit: as it was read.
            file: the repository or the file that it was read from.
            places: (line, byte) of each change, or one place for all.
        """
        report = self.sink.report
        if commit.sha in self._seen:
            report.duplicates += 1
            return
        self._seen.add(commit.sha)
        self.sink.call(None)
        report.calls_with_node += bool(commit.changes)
        report.projects[file] += len(commit.changes)
        timed = commit.time_s is not None and abs(commit.time_s) <= _LATEST_S
        every = places if len(places) > 1 else list(places) * len(commit.changes)
        for (status, path), (line, byte) in zip(commit.changes, every, strict=True):
            if status not in OPS:
                report.unknown[f"status {status}"] += 1
            self.sink.touch(
                session=commit.sha,
                node=path,
                op=OPS.get(status, "edit"),
                tool="git",
                source="commit",
                file=file,
                line=line,
                byte=byte,
                time_us=(commit.time_s or 0) * 1_000_000 if timed else None,
                time_quality="second" if timed else "none",
                turn=1,
                query=commit.subject or None,
            )


def _read_repository(repository: Repository, commits: _Commits) -> None:
    """``line`` is the ordinal of the commit in the history, from 1; ``byte`` is 0."""
    repository.check()
    report = commits.sink.report
    root, edge = repository.root(), repository.shallow_edge()
    if merges := repository.merges():
        report.skipped[_MERGES] += merges
    not_utf8 = 0
    for ordinal, commit in enumerate(repository.commits(), start=1):
        if commit.sha in edge:
            report.skip(_EDGE, root, ordinal)
            continue
        not_utf8 += commit.not_utf8
        commits.add(commit, root, [(ordinal, 0)])
    if edge:
        report.warnings.append(
            f"{root} is a shallow clone: older commits are missing, so what was seen before is not "
            f"known. Run git fetch --unshallow there for the whole history"
        )
        if not report.calls:
            raise InputError(
                "a shallow clone of depth 1: there is no commit whose changes are known",
                "Run git fetch --unshallow there",
                root,
            )
    if not_utf8:
        report.warnings.append(
            f"{not_utf8} changes in {root} are of paths that are not UTF-8; the odd bytes are "
            f"written \\xNN"
        )
    if Path(root).resolve() != repository.folder.resolve() and repository.folder.name != ".git":
        report.warnings.append(f"the whole repository {root} is read, not only the folder in it")


def _read_jsonl(path: Path, commits: _Commits) -> None:
    """Lines ``{"sha", "t", "s", "f": [[status, path], …]}``, oldest first."""
    report = commits.sink.report

    def add(record: Record) -> None:
        commit = _commit_of(record.obj)
        if commit is None:
            report.skip("not a commit with sha, t and f", str(path), record.line)
        else:
            commits.add(commit, str(path), [(record.line, record.byte)])

    commits.sink.each(path, add, keys=frozenset({"sha"}))


def _commit_of(obj: dict[str, Any]) -> Commit | None:
    sha, time_s, subject, files = (obj.get(key) for key in ("sha", "t", "s", "f"))
    if not isinstance(sha, str) or not sha or not isinstance(files, list):
        return None
    if isinstance(time_s, bool) or not isinstance(time_s, int | float | None):
        return None
    changes: list[tuple[str, str]] = []
    for change in files:
        match change:
            case [str(status), str(name)] if status and name:
                changes.append((status[0], name))
            case _:
                return None
    time = None if time_s is None or time_s != time_s else int(time_s)
    return Commit(sha, time, subject if isinstance(subject, str) else "", changes)


def _read_tsv(path: Path, commits: _Commits) -> None:
    """Lines ``commit, author time, path``, newest commit first, a commit's paths in order."""
    groups: dict[tuple[str, int], list[_Row]] = {}
    for row in _rows(path, commits.sink):
        groups.setdefault((row.sha, row.time_s), []).append(row)
    found = list(groups.values())
    if found and found[0][0].time_s < found[-1][0].time_s:
        commits.sink.report.warnings.append(
            f"{path} begins with its oldest commit, so it is read from top to bottom; "
            f"such files are as a rule newest first"
        )
    else:
        found.reverse()
    for group in found:
        changes = [("M", row.path) for row in group]
        commit = Commit(group[0].sha, group[0].time_s, "", changes)
        commits.add(commit, str(path), [(row.line, row.byte) for row in group])


def _rows(path: Path, sink: EventSink) -> Iterable[_Row]:
    for number, offset, raw in sink.lines(path):
        line = raw.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n\x00")
        if line.startswith(b"#") or not line:
            continue
        sha, _, rest = line.partition(b"\t")
        time_s, _, name = rest.partition(b"\t")
        if not sha or not time_s.removeprefix(b"-").isdigit() or not name:
            sink.report.skip("not commit, unix time and path", str(path), number)
            continue
        yield _Row(sha.decode(errors="replace"), int(time_s), path_name(name), number, offset)
