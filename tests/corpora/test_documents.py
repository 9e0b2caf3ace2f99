"""Documents become touches; what cannot be one is counted with its line."""

import pytest

from hebb_lab.corpora.attributes import Attributes, Entities
from hebb_lab.corpora.documents import Document, in_order_of_writing, read_documents
from hebb_lab.errors import InputError
from tests.corpora.made import DOCUMENTS, lines, places, sink


def read(tmp_path, objects):
    """(texts, log, report) of documents."""
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(objects if isinstance(objects, bytes) else lines(objects))
    into, report = sink()
    written = read_documents(path, into, report, Entities(report))
    return {name: row.text for name, row in written.items()}, into.finish(path), report


def test_a_document_is_one_touch_in_its_session_at_its_time(tmp_path):
    texts, log, report = read(tmp_path, DOCUMENTS)
    assert texts == {"d1": "Red a red apple", "d2": "a green apple", "d3": "a blue plum"}
    columns = ["node", "session", "time_us", "op", "node_kind", "source", "line"]
    assert log.events.select(columns).rows() == [
        ("d1", "s", 1_750_000_000_000_000, "write", "memory", "table", 1),
        ("d2", "s", 1_750_000_060_000_000, "write", "memory", "table", 2),
        ("d3", "document:d3", None, "write", "memory", "table", 3),
    ]
    assert "1 of 3 documents have no time" in report.warnings[-1]


def test_what_is_no_document_is_counted_with_its_line_and_the_rest_is_kept(tmp_path):
    texts, _, report = read(
        tmp_path,
        [
            b"\xef\xbb\xbf" + b'{"_id": "a", "text": "one"}\r',
            {"text": "no id"},
            {"_id": "", "text": "an empty id"},
            {"_id": "b", "text": " "},
            {"_id": "c", "title": "", "text": None},
            '{"_id": "d", "text": "cut',
            {"_id": "a", "text": "again"},
            "[1, 2]",
            b"",
            b'\x00\x00{"_id": "e", "text": "after NUL"}',
            b'{"_id": "f", "text": "caf\xe9"}',
            {"_id": 7, "title": "a title alone"},
            '{"_id": "g", "text": "two"}{"_id": "h", "text": "on one line"}',
        ],
    )
    assert list(texts) == ["a", "e", "f", "7", "g", "h"]
    assert texts["a"] == "one"
    assert texts["f"] == "caf�"
    assert dict(report.skipped) == {
        "document without an id": 2,
        "document without text": 2,
        "broken record": 1,
        "document whose id was seen before: the first is kept": 1,
        "no JSON object": 1,
    }
    assert places(report, "document without an id") == [2, 3]
    assert places(report, "document whose id was seen before: the first is kept") == [7]
    assert report.lines_salvaged == 3


def test_a_time_that_cannot_be_read_costs_the_time_and_not_the_document(tmp_path):
    _, log, report = read(tmp_path, [{"_id": "a", "text": "x", "time": "noon"}])
    assert log.events["time_us"].to_list() == [None]
    assert dict(report.mended) == {"time that cannot be read: kept without one": 1}
    assert not report.skipped


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "empty file"),
        (b"\n\n", "no document with an id and a text"),
        (b'{"text": "x"}\n{"text": "y"}\n', "2 lines skipped, from line 1: document without an id"),
        ("[]".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_corpus_without_a_document_is_an_error_with_the_file(tmp_path, content, why):
    with pytest.raises(InputError, match=rf"corpus\.jsonl: .*{why}.*one JSON object a line"):
        read(tmp_path, content)


def written(*times):
    return [Document(f"d{i}", "s", time, "exact", i, 0) for i, time in enumerate(times)]


@pytest.mark.parametrize(
    ("times", "order"),
    [
        ((3, 1, 2), [1, 2, 0]),
        ((5, None, 3), [2, 0, 1]),
        ((None, 5, 3), [2, 0, 1]),
        ((None, None), [0, 1]),
        ((4, 4, 4), [0, 1, 2]),
    ],
)
def test_a_session_is_in_order_of_writing_and_without_times_in_that_of_the_file(times, order):
    assert [document.line for document in in_order_of_writing(written(*times))] == order


def test_the_lines_of_one_session_need_not_stand_together(tmp_path):
    objects = [
        {"_id": n, "text": "x", "session": s, "timestamp": 1_750_000_000 + t}
        for n, s, t in [("a", "s", 60), ("b", "r", 30), ("c", "s", 0)]
    ]
    _, log, report = read(tmp_path, objects)
    assert log.events["node"].to_list() == ["c", "a", "b"]
    assert report.clock_steps_back == 0
    assert "times are numbers, since 1970 by their size: 3 in s" in report.warnings[0]


def test_what_a_document_says_of_itself_is_kept_with_its_text(tmp_path):
    path = tmp_path / "corpus.jsonl"
    objects = [
        {"id": "a", "text": "x", "valence": 400, "tags": ["Red"], "conversation": "c"},
        {"id": "b", "text": "y"},
    ]
    path.write_bytes(lines(objects))
    into, report = sink()
    written = read_documents(path, into, report, Entities(report))
    assert written["a"].about == Attributes("c", valence=127, tags=("red",))._replace(
        importance=written["a"].about.importance
    )
    assert (written["b"].text, written["b"].about.tags) == ("y", ())
    assert places(report, "valence outside -128 to 127: set to the nearest") == [1]
