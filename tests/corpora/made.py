"""Corpora made by hand, with known answers."""

import gzip
import json
from pathlib import Path

from hebb_lab.corpora import CorpusReport
from hebb_lab.telemetry.naming import Projects
from hebb_lab.telemetry.sink import EventSink

TINY = Path(__file__).resolve().parents[2] / "data" / "tiny" / "corpus"
DOCUMENTS = [
    {"_id": "d1", "title": "Red", "text": "a red apple", "session": "s", "time": 1_750_000_000},
    {"_id": "d2", "text": "a green apple", "session": "s", "time": 1_750_000_060},
    {"_id": "d3", "text": "a blue plum"},
]
QUESTIONS = [{"_id": "q1", "text": "which apple"}, {"_id": "q2", "text": "which plum"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq2\td3\t1\n"


def lines(objects):
    """Objects as JSON lines; text and bytes as they are."""
    parts = [part if isinstance(part, str | bytes) else json.dumps(part) for part in objects]
    return b"".join((p if isinstance(p, bytes) else p.encode()) + b"\n" for p in parts)


def corpus(folder, documents=DOCUMENTS, questions=QUESTIONS, qrels=QRELS, name="qrels.tsv"):
    """Write a corpus; None leaves a part out."""
    for file, content in (("corpus.jsonl", documents), ("queries.jsonl", questions)):
        if content is not None:
            (folder / file).write_bytes(lines(content))
    if qrels is not None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(qrels if isinstance(qrels, bytes) else qrels.encode())
    return folder


def pack(path):
    """Put a gzip archive in the file's place."""
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()


def sink():
    """A sink and its report."""
    report = CorpusReport()
    return EventSink(report, Projects(None, None)), report


def places(report, reason):
    """Line numbers of the examples of a reason."""
    return [int(place.rpartition(":")[2]) for place in report.examples[reason]]
