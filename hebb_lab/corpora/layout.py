"""Where the three parts of a corpus lie in its folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hebb_lab.errors import ConfigError, InputError

PARTS = "corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv (or qrels.tsv, qrels.txt, qrels.trec)"
_CURE = f"A corpus is a folder with {PARTS}, each plain or .gz"
_QRELS_ENDINGS = (".tsv", ".txt", ".trec")
_STATED = ("hebbian_edges", "temporal_chains", "entities")  # each may be absent
_PACKED = ("", ".gz")


@dataclass(frozen=True)
class Layout:
    """The files of a corpus.

    Args:
        documents: corpus.jsonl, plain or gzip.
        questions: queries.jsonl.
        qrels: the judgements of the chosen split.
        split: its name; empty where the corpus has one file of qrels.
        unused: files that would have served as well → why they are not read.
        edges: hebbian_edges.jsonl, where it is there.
        chains: temporal_chains.jsonl, where it is there.
        relations: entities.jsonl, where it is there.
    """

    documents: Path
    questions: Path
    qrels: Path
    split: str
    unused: dict[str, str]
    edges: Path | None = None
    chains: Path | None = None
    relations: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are read."""
        stated = (self.edges, self.chains, self.relations)
        return self.documents, self.questions, self.qrels, *filter(None, stated)


def layout_of(folder: Path, split: str | None) -> Layout:
    """Find the files of a corpus.

    Args:
        folder: the corpus.
        split: name of a file in ``qrels/`` without its ending. None takes the only one, or
            ``test`` where there are several.

    Raises:
        InputError: no folder, or it lacks a part; all missing parts are named.
        ConfigError: no such split, or several of which none is ``test``; it names those there are.
    """
    if not folder.exists():
        raise InputError("no such folder", "Check dataset.path", folder)
    if not folder.is_dir():
        raise InputError("a file and no folder", _CURE, folder)
    unused: dict[str, str] = {}
    documents = _first(folder, ["corpus.jsonl"], unused)
    questions = _first(folder, ["queries.jsonl"], unused)
    splits = _splits(folder / "qrels", unused)
    single = _first(folder, [f"qrels{ending}" for ending in _QRELS_ENDINGS], unused)
    found = {"corpus.jsonl": documents, "queries.jsonl": questions, "qrels": splits or single}
    missing = [name for name, file in found.items() if not file]
    if documents is None or questions is None or missing:
        inside = sorted(path.parent for path in folder.glob("*/corpus.jsonl*"))
        cure = f"Read {inside[0]}" if inside and documents is None else _CURE
        raise InputError(f"the folder has no {' and no '.join(missing)}", cure, folder)
    name, qrels = _chosen(folder, splits, single, split, unused)
    stated = (_first(folder, [f"{part}.jsonl"], unused) for part in _STATED)
    return Layout(documents, questions, qrels, name, unused, *stated)


def _chosen(
    folder: Path, splits: dict[str, Path], single: Path | None, wanted: str | None,
    unused: dict[str, str],
) -> tuple[str, Path]:  # fmt: skip
    """(name of the split, its file)."""
    if not splits and single is not None:
        if wanted is not None:
            raise ConfigError(
                f"dataset.split={wanted}, and the corpus has one file of qrels without splits",
                "Leave dataset.split null",
                single,
            )
        return "", single
    if single is not None:
        unused[str(single)] = "the qrels are taken from the folder qrels"
    known = ", ".join(splits)
    if wanted is not None and wanted not in splits:
        raise ConfigError(
            f"dataset.split={wanted} is not there", f"Use one of {known}", folder / "qrels"
        )
    name = wanted or (next(iter(splits)) if len(splits) == 1 else "test")
    if name not in splits:
        raise ConfigError(
            f"the qrels have several splits and none is named test: {known}",
            "Choose one with dataset.split",
            folder / "qrels",
        )
    return name, splits[name]


def _splits(folder: Path, unused: dict[str, str]) -> dict[str, Path]:
    """Name → file of each split, by name."""
    names = {
        name: path.name
        for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
        for name in [_without(path.name, _PACKED[1:])]
        if name.endswith(_QRELS_ENDINGS) and path.is_file()
    }
    splits: dict[str, Path] = {}
    for name in sorted(names):
        file = _first(folder, [name], unused)
        stem = _without(name, _QRELS_ENDINGS)
        if file is not None and splits.setdefault(stem, file) != file:
            unused[str(file)] = f"{splits[stem].name} is read for this split"
    return splits


def _without(name: str, endings: tuple[str, ...]) -> str:
    """The name without the first of the endings that it has."""
    return next((name.removesuffix(ending) for ending in endings if name.endswith(ending)), name)


def _first(folder: Path, names: list[str], unused: dict[str, str]) -> Path | None:
    """The first of these files that is there, plain before packed; the others are noted."""
    there = [folder / f"{name}{packed}" for name in names for packed in _PACKED]
    there = [path for path in there if path.is_file()]
    for path in there[1:]:
        unused[str(path)] = f"{there[0].name} is read in its place"
    return there[0] if there else None
