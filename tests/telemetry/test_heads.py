import gzip
import json

import pytest

from hebb_lab.telemetry.heads import HEAD_BYTES, HEAD_OBJECTS, head_of, unsupported_format


def head(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    return head_of(path)


def test_the_head_holds_the_first_objects_and_no_half_one(tmp_path):
    lines = [json.dumps({"n": n, "x": "y" * 5000}) for n in range(100)]
    found = head(tmp_path, "\n".join(lines).encode())
    assert [obj["n"] for obj in found.objects] == list(range(HEAD_BYTES // len(lines[0])))
    assert len(found.data) == HEAD_BYTES
    few = head(tmp_path, b'\xef\xbb\xbfnoise\n{"n":1}{"n":2}\n{"n":3}')
    assert [obj["n"] for obj in few.objects] == [1, 2, 3]
    many = head(tmp_path, b'{"n":1}\n' * 1000)
    assert len(many.objects) == HEAD_OBJECTS


def test_a_packed_file_has_the_head_of_its_content(tmp_path):
    assert head(tmp_path, gzip.compress(b'{"n":1}\n')).objects == ({"n": 1},)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{"sessionId":"x","messages":[]}', "Gemini"),
        (b'{\n "sessionId": "x",\n "messages": []\n}', "Gemini"),
        (b'{"messages":1}\n{"messages":2}\n', "unknown format"),
        (b"[1, 2]", "unknown format"),
        (b"PK\x03\x04", "zip"),
        (b"plain text", "not a known"),
    ],
)
def test_why_a_file_is_no_log_is_said_by_name_where_known(tmp_path, data, word):
    assert word in unsupported_format(head(tmp_path, data))


def test_an_archive_that_ends_too_early_is_told(tmp_path):
    assert "too early" in head(tmp_path, gzip.compress(b'{"n":1}\n' * 9)[:-4]).problem


def test_a_part_of_a_corpus_is_told_by_its_name_and_its_content(tmp_path):
    def why(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return unsupported_format(head_of(path))

    document = b'{"_id":"d1","title":"","text":"words"}\n'
    for name in ("corpus.jsonl", "queries.jsonl"):
        assert why(name, document) == "is part of a corpus; read its folder with dataset=corpus"
    packed = why("corpus.jsonl.gz", gzip.compress(document))
    assert packed == "is part of a corpus; read its folder with dataset=corpus"
    assert why("notes.jsonl", document) == "JSON of an unknown format"
    assert why("corpus.jsonl", b'{"name":"d1"}\n') == "JSON of an unknown format"
