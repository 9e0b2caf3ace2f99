"""The beginning of a file, and what can be told from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hebb_lab.telemetry.lines import iter_chunks
from hebb_lab.telemetry.parquet import DAMAGED_PARQUET, PARQUET_MAGIC, parquet_columns
from hebb_lab.telemetry.reader import Head
from hebb_lab.telemetry.report import ReadReport
from hebb_lab.telemetry.salvage import JSON_ERRORS, salvage

HEAD_BYTES = 1 << 16
HEAD_OBJECTS = 20
LONG_HEAD_BYTES = 1 << 22  # read when the first line alone fills the head


def head_of(path: Path) -> Head:
    """Read the head of a file, unpacked.

    Raises:
        OSError: when it cannot be opened.
    """
    data, problem = first_bytes(path)
    whole = len(data) < HEAD_BYTES
    objects = _objects(data, whole)
    if not objects and not whole and data.lstrip()[:1] in (b"{", b"[") and b"\n" not in data:
        longer, _ = first_bytes(path, LONG_HEAD_BYTES)  # one line may be anything
        objects = _objects(longer, len(longer) < LONG_HEAD_BYTES)
    return Head(path, data, objects, problem)


def first_bytes(path: Path, size: int = HEAD_BYTES) -> tuple[bytes, str | None]:
    """At most the first ``size`` bytes of a file, unpacked; why it cannot be read in whole.

    Raises:
        OSError: when it cannot be opened.
    """
    report = ReadReport()
    data = b""
    for chunk in iter_chunks(path, report, chunk=HEAD_BYTES):
        data += chunk
        if len(data) >= size:
            break
    return data[:size], report.files_skipped.get(str(path))


def _objects(data: bytes, whole: bool) -> tuple[dict[str, Any], ...]:
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not whole:
        lines.pop()
    found: list[dict[str, Any]] = []
    for line in lines:
        text = line.decode(errors="replace").strip(" \t\r\x00")
        if text[:1] == "{":
            found += salvage(text)[0]
        if len(found) >= HEAD_OBJECTS:
            break
    return tuple(found[:HEAD_OBJECTS])


def unsupported_format(head: Head) -> str:
    """Why a file that no reader knows is skipped, by name where the format is known."""
    start = head.data.lstrip(b"\xef\xbb\xbf \t\r\n\x00")
    if start[:1] == b"{" and b'"messages"' in start and _is_document(start):
        return "one JSON document with messages (a Gemini CLI chat): there is no reader for it"
    if start.startswith(PARQUET_MAGIC):
        known = parquet_columns(head.path)
        without = "a Parquet table without the columns time, session and node"
        return without if known else DAMAGED_PARQUET
    if start.startswith(b"PK\x03\x04"):
        return "zip archive: unpack it first"
    if start.startswith(b"SQLite format 3\x00"):
        return (
            "a NeuralMind store: it holds the state of a memory, not the history that led to it"
            if b"synapses" in start
            else "a SQLite database of an unknown program"
        )
    if _is_of_corpus(head):
        return "is part of a corpus; read its folder with dataset=corpus"
    if start[:1] in (b"{", b"["):
        return "JSON of an unknown format"
    return "not a known log format"


def _is_document(start: bytes) -> bool:
    first_line = start.split(b"\n", 1)[0].strip()
    try:
        json.loads(first_line)
    except JSON_ERRORS:
        return True
    return b"\n" not in start.strip()


def _is_of_corpus(head: Head) -> bool:
    """Documents or questions laid out as BEIR does: by name, and each with an id and a text."""
    if head.path.name.partition(".")[0] not in ("corpus", "queries"):
        return False
    wanted = [("_id" in obj or "id" in obj) and "text" in obj for obj in head.objects]
    return bool(wanted) and all(wanted)
