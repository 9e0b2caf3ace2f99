"""TREC run and qrels files, in and out, plain or ``.gz``.

A run line is ``query Q0 node rank score tag``, a qrels line ``query 0 node grade``. The rank
column is ignored when read, as trec_eval does: the order is that of the scores, ties by name,
byte-wise descending. Names may hold spaces, files may not, so ``!`` and every byte up to it is
written as ``!`` and two hex digits; this keeps the order of the names, hence the tie rule.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hebb_lab.errors import InputError
from hebb_lab.evaluation.judge import rank_by_score
from hebb_lab.records import Qrels, Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

Run = dict[str, dict[str, float]]  # query → node → score (exact in float32)
Judged = dict[str, dict[str, int]]  # query → node → grade (any sign)
V = TypeVar("V", int, float)

_FORBIDDEN = re.compile(r"[\x00-!]")
_ESCAPED = re.compile(r"!([01][0-9a-f]|2[01])")


def escape(name: str) -> str:
    """The name as one field of a TREC file.

    >>> escape("docs/my notes.md"), unescape("docs/my!20notes.md")
    ('docs/my!20notes.md', 'docs/my notes.md')
    """
    return _FORBIDDEN.sub(lambda found: f"!{ord(found[0]):02x}", name)


def unescape(field: str) -> str:
    """The name that ``escape`` wrote; a field without escapes is given back as it is."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), field)


def read_run(path: Path) -> Run:
    """Read a run file; scores are rounded to float32.

    Raises:
        InputError: with file and line, for a line without six fields, a score that is no number,
            NaN or too large for float32, or a node given twice for a query; for an empty file.
    """
    return _read(path, 6, "query Q0 node rank score tag", lambda fields: _score(fields[4]))


def read_qrels(path: Path) -> Judged:
    """Read a qrels file; grades of 0 and below are kept (−1: in the pool, not judged).

    Raises:
        InputError: with file and line, for a line without four fields, a grade that is no integer,
            or a node given twice for a query; for an empty file.
    """
    return _read(path, 4, "query 0 node grade", lambda fields: int(fields[3]))


def _score(field: str) -> float:
    """A score in float32, or ValueError."""
    value = float(field)
    with np.errstate(over="ignore"):
        single = float(np.float32(value))
    if np.isnan(single) or (np.isinf(single) and not np.isinf(value)):
        raise ValueError(field)
    return single


def _read(
    path: Path, width: int, layout: str, value: Callable[[list[str]], V]
) -> dict[str, dict[str, V]]:
    """Lines of ``width`` fields → query → node → value."""
    table: dict[str, dict[str, V]] = {}
    for number, line in enumerate(_lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            if len(fields) != width:
                raise ValueError(line)
            text = [unescape(field.decode()) for field in fields]
            parsed = value(text)
        except ValueError:
            shown = line.decode(errors="replace").strip()[:80]
            raise InputError(
                f"'{shown}' is not a line of the form '{layout}'", "Mend or remove it", path, number
            ) from None
        row = table.setdefault(text[0], {})
        if text[2] in row:
            problem = f"node '{text[2]}' is given twice for query '{text[0]}'"
            raise InputError(problem, "Keep one of the two lines", path, number)
        row[text[2]] = parsed
    if not table:
        raise InputError("the file holds no lines", f"Write lines of the form '{layout}'", path)
    return table


def _lines(path: Path) -> Iterator[bytes]:
    """Lines of a plain or gzipped file."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            yield from gzip.GzipFile(fileobj=raw) if packed else raw
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read it ({error})", "Give a readable file", path) from error


def _write(path: Path, lines: Iterator[str]) -> None:
    """Write lines; a name that ends in .gz is packed, without time stamp or file name."""
    with path.open("wb") as raw:
        packed = gzip.GzipFile("", "wb", mtime=0, fileobj=raw) if path.suffix == ".gz" else None
        with io.TextIOWrapper(packed or raw, encoding="utf-8", newline="\n") as out:
            out.writelines(lines)


def write_run(
    path: Path, ranking: Ranking, query_ids: Sequence[str], nodes: Sequence[str], tag: str
) -> None:
    """Write a ranking as a run file. Scores have the digits that give the same float32 again.

    Args:
        path: file to write; ``.gz`` is packed.
        ranking: [Q, k].
        query_ids: [Q] names.
        nodes: [N] names, by node id.
        tag: name of the arm.
    """
    _write(path, run_lines(ranking, query_ids, nodes, tag))


def run_lines(
    ranking: Ranking, query_ids: Sequence[str], nodes: Sequence[str], tag: str
) -> Iterator[str]:
    """The lines of ``write_run``, for several rankings in one file."""
    names = [escape(node) for node in nodes]
    label = escape(tag)
    for query, ids, scores in zip(query_ids, ranking.ids, ranking.scores, strict=True):
        start = f"{escape(query)} Q0 "
        held = int((ids >= 0).sum())
        digits = scores[:held].astype("U32").tolist()
        for rank, (node, score) in enumerate(zip(ids[:held].tolist(), digits, strict=True), 1):
            yield f"{start}{names[node]} {rank} {score} {label}\n"


def write_qrels(path: Path, qrels: Qrels, query_ids: Sequence[str], nodes: Sequence[str]) -> None:
    """Write what is relevant as a qrels file; a query with nothing relevant leaves no line."""
    _write(path, qrels_lines(qrels, query_ids, nodes))


def qrels_lines(qrels: Qrels, query_ids: Sequence[str], nodes: Sequence[str]) -> Iterator[str]:
    """The lines of ``write_qrels``, for several tasks in one file."""
    queries = np.repeat(np.arange(len(qrels)), qrels.counts())
    for query, node, grade in zip(
        queries.tolist(), qrels.ids.tolist(), qrels.grades.tolist(), strict=True
    ):
        yield f"{escape(query_ids[query])} 0 {escape(nodes[node])} {grade}\n"


@dataclass(frozen=True)
class Joined:
    """A run and qrels over one set of queries (that of the qrels) and one set of nodes.

    Args:
        query_ids: [Q] the queries of the qrels, in their order.
        nodes: [N] names in byte-wise order.
        ranking: [Q, k].
        qrels: grades above 0 only.
        missing: queries of the qrels that the run does not have; they count 0.
        unjudged: queries of the run that the qrels do not have; they are left out.
    """

    query_ids: tuple[str, ...]
    nodes: tuple[str, ...]
    ranking: Ranking
    qrels: Qrels
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]


def join(run: Mapping[str, Mapping[str, float]], judged: Mapping[str, Mapping[str, int]]) -> Joined:
    """Bring a run and qrels onto integers, ready to be judged.

    >>> joined = join({"q1": {"a": 1.0, "b": 1.0}, "q9": {"z": 1.0}}, {"q1": {"a": 1}, "q2": {}})
    >>> joined.ranking.ids.tolist(), joined.missing, joined.unjudged
    ([[1, 0], [-1, -1]], ('q2',), ('q9',))
    """
    names = {node for rows in (run, judged) for query in judged for node in rows.get(query, ())}
    nodes = tuple(sorted(names, key=lambda node: node.encode()))
    ids = {node: place for place, node in enumerate(nodes)}
    rows = [
        (np.array([ids[node] for node in found], np.int32), np.array(list(found.values())))
        for found in (run.get(query, {}) for query in judged)
    ]
    gold = [[(ids[n], g) for n, g in truth.items() if g > 0] for truth in judged.values()]
    pairs = np.array([pair for row in gold for pair in row], np.int32).reshape(-1, 2)
    return Joined(
        query_ids=tuple(judged),
        nodes=nodes,
        ranking=_ranking(rows),
        qrels=Qrels(np.cumsum([0, *map(len, gold)], dtype=np.int64), pairs[:, 0], pairs[:, 1]),
        missing=tuple(query for query in judged if query not in run),
        unjudged=tuple(query for query in run if query not in judged),
    )


def _ranking(rows: list[tuple[NDArray[np.int32], NDArray[np.float64]]]) -> Ranking:
    """Rows of (ids, scores) as one padded ranking in the order of the tie rule."""
    depth = max((len(found) for found, _ in rows), default=0)
    ids = np.full((len(rows), depth), -1, np.int32)
    scores = np.full((len(rows), depth), -np.inf, np.float32)
    for place, (found, values) in enumerate(rows):
        best = rank_by_score(found, values)
        ids[place, : len(best)] = best
        scores[place, : len(best)] = -np.sort(-values.astype(np.float32))
    return Ranking(ids, scores)
