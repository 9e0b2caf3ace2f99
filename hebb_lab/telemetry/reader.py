"""What a reader of one log format is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from hebb_lab.registry import Registry

if TYPE_CHECKING:
    from hebb_lab.telemetry.sink import EventSink


@dataclass(frozen=True)
class ReadOptions:
    """What the user says about a log.

    Args:
        repo: the repository whose tracked paths name the nodes; None looks at the log's own cwd.
        tracked_paths: a list of tracked paths, one a line, ``.txt`` or ``.txt.gz``, for when the
            repository is not at hand. It wins over ``repo``.
        keep_prompts: keep the text of the user's prompts; otherwise only their SHA-256 is kept.
        progress: told (file, bytes read so far, bytes in all), as the files are on disk.
        now_us: the present, µs since 1970, to count times in the future; None takes the newest
            modification time of the files.
        branch: branch, tag or commit whose history is read, for a git repository.
    """

    repo: Path | None = None
    tracked_paths: Path | None = None
    keep_prompts: bool = False
    progress: Callable[[str, int, int], None] | None = None
    now_us: int | None = None
    branch: str = "HEAD"


@dataclass(frozen=True)
class Head:
    """The beginning of a file, by which a reader knows its format.

    Args:
        path: the file.
        data: its first bytes, unpacked (at most 64 KiB).
        objects: the JSON objects on its first whole lines (at most 20); a broken line is passed
            over. Empty for what is not JSON lines, and where the first line is longer than data.
        problem: why the file cannot be read in whole, None when it can.
    """

    path: Path
    data: bytes
    objects: tuple[dict[str, Any], ...]
    problem: str | None = None


class Reader(Protocol):
    """Reads one log format. A reader holds no state: one instance may read several logs.

    Register it with ``@READERS.register("name")``; ``discover.read_log`` makes one without
    arguments, hands it the files whose head it knows, and finishes the sink.
    """

    name: ClassVar[str]
    describe: ClassVar[str]  # one line: what it reads

    def sniff(self, head: Head) -> bool:
        """Whether the file is of this format. It must be sure: the first reader to say so wins."""
        ...

    def claims_folder(self, folder: Path) -> bool:
        """Whether the folder as a whole is one log, as a git repository is."""
        ...

    def read(self, paths: Sequence[Path], sink: EventSink, options: ReadOptions) -> None:
        """Read the files (or claimed folders) of this format, in the given order, into the sink.

        Raises:
            InputError: when nothing of a path can be read and the user can mend it.
        """
        ...


def advance_of(
    told: Callable[[str, int, int], None] | None, total: int
) -> Callable[[Path, int], None] | None:
    """What counts the bytes of each file as they are read, and tells (file, so far, in all)."""
    if told is None:
        return None
    done = 0

    def advance(file: Path, size: int) -> None:
        nonlocal done
        done += size
        told(str(file), done, total)

    return advance


READERS: Registry[type[Reader]] = Registry("reader")
