"""Which project a working directory belongs to, and what its paths are called there."""

from __future__ import annotations

from pathlib import Path

from hebb_lab.telemetry.naming.paths import (
    Node,
    PathIndex,
    Place,
    below,
    external,
    index_of_list,
    index_of_repository,
    run_git,
    take_apart,
)


class Projects:
    """Names the nodes of one log.

    The index of tracked paths comes from a list, else from a repository, else from the repository
    at the log's own working directory when that is on this machine. Without any, a path is named
    relative to the working directory.

    Args:
        repo: a repository that all paths belong to.
        tracked_paths: a list of tracked paths; it wins over ``repo``.
    """

    def __init__(self, repo: Path | None = None, tracked_paths: Path | None = None) -> None:
        self.repo = repo
        self.tracked_paths = tracked_paths
        self._given: PathIndex | None = None
        self._roots: dict[str, Place | None] = {}  # cwd → the top of its repository on this machine
        self._indexes: dict[str, PathIndex] = {}  # git's common folder → index
        self._index_of: dict[str, PathIndex | None] = {}  # cwd → index
        self._nodes: dict[tuple[str, str | None, str | None], Node] = {}
        self._inside: set[str] = set()  # working directories with a touch in the project
        self._touched: set[str] = set()  # names, for shell words when there is no index
        self._named: set[str] = set()  # names of all that was touched by its path

    def node(self, raw: str, cwd: str | None = None, base: str | None = None) -> Node:
        """The node that a path names.

        Args:
            raw: the path as the log has it.
            cwd: the working directory it is relative to.
            base: the session's first working directory: what lies in it is named from there.
        """
        key = (raw, cwd, base)
        if key not in self._nodes:
            self._nodes[key] = self._name(raw, cwd, base)
        node = self._nodes[key]
        self._named.add(node.name)
        if node.kind != "external":
            self._touched.add(node.name)
            if cwd is not None:
                self._inside.add(cwd)
        return node

    def unlisted(self) -> tuple[int, int] | None:
        """(paths that the given index does not hold, all paths that were touched by name).

        None where no list and no repository was given.
        """
        if self._given is None:
            return None
        held = self._given.files | {f"dir:{folder}" for folder in self._given.folders} | {"dir:."}
        return len(self._named - held), len(self._named)

    def known(self, raw: str, cwd: str | None = None, base: str | None = None) -> Node | None:
        """The node of a path when it is a file that the repository tracked, else None.

        Without an index a file is known once it was touched by its path.
        """
        index = self._index(cwd)
        if index is not None and "%" not in raw:  # most words of a command end here
            last = raw.replace("\\", "/").rpartition("/")[2].strip().casefold()
            if last not in index.last_names:
                return None
        key = (raw, cwd, base)
        if key not in self._nodes:
            self._nodes[key] = self._name(raw, cwd, base)
        node = self._nodes[key]
        tracked = self._touched if index is None else index.files
        return node if node.kind == "file" and node.name in tracked else None

    def has_index(self, cwd: str | None) -> bool:
        """Whether the tracked paths of a working directory's project are known."""
        return self._index(cwd) is not None

    def name_of(self, cwd: str) -> str:
        """The project of a working directory: its repository where that is known, else itself."""
        index = self._index(cwd)
        if index is not None and (self._given is None or cwd in self._inside):
            return index.name
        return cwd

    def _name(self, raw: str, cwd: str | None, base: str | None) -> Node:
        full = _joined(take_apart(raw, self._windows(cwd)), cwd)
        index = self._index(cwd)
        relative = self._relative(full, cwd, base, index)
        if index is not None:
            own = "/".join(relative or ())
            if own in index.files or own in index.folders:
                return _inside(own, own in index.folders)
            # A new file in a tracked folder is itself, not a file elsewhere with the same end.
            new = own.rpartition("/")[0] in index.folders
            suffix = None if new else index.longest_suffix(full)
            if suffix is not None:
                return _inside(suffix, suffix in index.folders)
        if relative is None:
            return external(full)
        return _inside("/".join(relative), not relative)

    def _relative(
        self, full: Place, cwd: str | None, base: str | None, index: PathIndex | None
    ) -> tuple[str, ...] | None:
        """The path below the project's top, as far as that is known; None outside of it."""
        root = self._root(cwd)
        if root is None and cwd is not None:
            root = take_apart(cwd)
            if base is not None and below(root, take_apart(base)) is not None:
                root = take_apart(base)
        if root is None:
            return None if full.absolute else full.parts
        relative = below(full, root)
        return None if relative is None else (*self._prefix(index, root), *relative)

    def _prefix(self, index: PathIndex | None, root: Place | None) -> tuple[str, ...]:
        """Where in the repository the working directory lies, when only a list is known."""
        if index is None or root is None or self._given is None:
            return ()
        suffix = index.longest_suffix(root)
        return () if suffix is None else tuple(suffix.split("/"))

    def _index(self, cwd: str | None) -> PathIndex | None:
        if self._given is None and self.tracked_paths is not None:
            self._given = index_of_list(self.tracked_paths)
        if self._given is None and self.repo is not None:
            self._given = index_of_repository(self.repo)
        if self._given is not None or cwd is None:
            return self._given
        if cwd not in self._index_of:
            self._index_of[cwd] = self._index_on_disk(cwd)
        return self._index_of[cwd]

    def _index_on_disk(self, cwd: str) -> PathIndex | None:
        folder = Path(cwd)
        try:
            if not folder.is_absolute() or not folder.is_dir():
                return None
        except OSError:  # a name that is too long, or a folder that may not be entered
            return None
        common = run_git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
        if common is None:
            return None
        common = common.strip("\n")
        if common not in self._indexes:
            index = index_of_repository(folder)
            name = str(Path(common).parent if Path(common).name == ".git" else common)
            self._indexes[common] = PathIndex(name, index.files)
        return self._indexes[common]

    def _root(self, cwd: str | None) -> Place | None:
        if cwd is None or self._given is not None:
            return None
        if cwd not in self._roots:
            found = run_git(Path(cwd), "rev-parse", "--show-toplevel") if self._index(cwd) else None
            self._roots[cwd] = take_apart(found.strip("\n")) if found else None
        return self._roots[cwd]

    def _windows(self, cwd: str | None) -> bool:
        return cwd is not None and take_apart(cwd).windows


def _joined(place: Place, cwd: str | None) -> Place:
    if place.absolute or cwd is None:
        return place
    base = take_apart(cwd)
    drive = "" if base.windows else "/"
    return take_apart(drive + "/".join((*base.parts, *place.parts)))


def _inside(path: str, folder: bool) -> Node:
    return Node(f"dir:{path or '.'}", "dir") if folder else Node(path, "file")
