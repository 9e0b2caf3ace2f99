import gzip
import json
import os
from pathlib import Path

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.telemetry import discover
from hebb_lab.telemetry.discover import known_formats, read_log
from hebb_lab.telemetry.reader import ReadOptions


def transcript(session: str = "s1", calls: int = 2) -> bytes:
    lines = [
        {
            "type": "assistant", "sessionId": session, "uuid": f"u{i}", "cwd": "/gone/p",
            "timestamp": f"2026-01-05T12:00:0{i}.000Z",
            "message": {"content": [{"type": "tool_use", "id": f"{session}-{i}", "name": "Read",
                                     "input": {"file_path": f"/gone/p/f{i}.py"}}]},
        }
        for i in range(calls)
    ]  # fmt: skip
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


CODEX = b'{"timestamp":"2026-06-17T10:00:00.000Z","type":"session_meta","payload":{"id":"x"}}\n'
GEMINI = json.dumps({"sessionId": "g", "messages": [{"type": "user"}]}, indent=2).encode()


@pytest.fixture
def logs(tmp_path) -> Path:
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    (tmp_path / "one.jsonl").write_bytes(transcript("s1"))
    (tmp_path / "sub" / "deep" / "two.log.gz").write_bytes(gzip.compress(transcript("s2")))
    (tmp_path / "notes.md").write_text("# notes\n")
    (tmp_path / "chat.json").write_bytes(GEMINI)
    return tmp_path


def test_a_folder_is_searched_whole_and_formats_are_known_by_content(logs):
    log = read_log(logs)
    assert log.report.reader == "claude_code"
    assert log.report.sessions == 2
    assert log.events.height == 4
    assert "Gemini" in log.report.files_skipped[str(logs / "chat.json")]
    assert "not a known log format" in log.report.files_skipped[str(logs / "notes.md")]


def test_a_file_is_read_alone(logs):
    assert read_log(str(logs / "one.jsonl")).report.sessions == 1


def test_two_reads_give_the_same_log(logs):
    first, second = read_log(logs), read_log(logs, "claude_code")
    assert first.events.equals(second.events)
    assert first.sha256() == second.sha256()


def test_a_named_reader_leaves_other_formats_and_says_how_to_read_them(logs):
    (logs / "rollout.jsonl").write_bytes(CODEX)
    report = read_log(logs, "claude_code").report
    if "codex" in known_formats():
        assert "dataset=auto" in report.files_skipped[str(logs / "rollout.jsonl")]
    assert str(logs / "rollout.jsonl") in report.files_skipped


def test_a_folder_loop_is_walked_once_and_reported(logs):
    (logs / "sub" / "again").symlink_to(logs, target_is_directory=True)
    (logs / "same.jsonl").symlink_to(logs / "one.jsonl")
    report = read_log(logs).report
    assert report.sessions == 2
    assert "read already" in report.files_skipped[str(logs / "sub" / "again")]
    assert report.duplicates == 0
    links = [name for name in report.files_skipped if name.endswith(("one.jsonl", "same.jsonl"))]
    assert len(links) == 1


def test_a_link_to_nowhere_does_no_harm(logs):
    (logs / "gone.jsonl").symlink_to(logs / "nothing")
    (logs / "self").symlink_to(logs / "self")
    report = read_log(logs).report
    assert report.sessions == 2
    assert report.files_skipped[str(logs / "gone.jsonl")] == "a link to what does not exist"
    assert "cannot be opened" in report.files_skipped[str(logs / "self")]


def test_a_pipe_is_named_and_never_opened(logs):
    os.mkfifo(logs / "pipe")
    report = read_log(logs).report
    assert report.sessions == 2
    assert "pipe" in report.files_skipped[str(logs / "pipe")]
    with pytest.raises(InputError, match="no file but a pipe"):
        read_log(logs / "pipe")


def _refuse(monkeypatch, method, refused):
    """Path.method fails for some paths as it does for one without permission (not for root)."""
    real = getattr(Path, method)

    def call(self, *args, **more):
        if refused(self):
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, *args, **more)

    monkeypatch.setattr(Path, method, call)


def test_a_link_whose_target_may_not_be_reached_is_named_and_the_walk_goes_on(logs, monkeypatch):
    link = logs / "root"
    link.symlink_to("/proc/1/root")
    _refuse(monkeypatch, "stat", lambda path: path == link)
    report = read_log(logs).report
    assert report.sessions == 2
    assert report.files_skipped[str(link)] == "cannot be opened: Permission denied"


def test_a_folder_that_cannot_be_opened_is_not_called_empty(logs, monkeypatch):
    def scandir(path):
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(discover.os, "scandir", scandir)
        with pytest.raises(InputError, match="folder cannot be opened: Permission denied") as error:
            read_log(logs)
    assert "read permission" in error.value.cure
    _refuse(monkeypatch, "stat", lambda path: path == logs)
    with pytest.raises(InputError, match=r"cannot be opened.*read permission"):
        read_log(logs)


@pytest.mark.parametrize("start", [b"[", b'{"a":', b'{"messages":['])
@pytest.mark.parametrize("first", [True, False])
def test_a_line_of_deep_nesting_costs_that_line_only(tmp_path, start, first):
    nested = start * 100_000 + b"\n"
    parts = [nested, transcript("s1")] if first else [transcript("s1"), nested, transcript("s2")]
    (tmp_path / "a.jsonl").write_bytes(b"".join(parts))
    report = read_log(tmp_path).report
    assert report.events == (2 if first else 4)
    assert sum(report.skipped.values()) == 1


def test_a_sniff_that_fails_on_an_odd_value_leaves_the_file_to_the_others(logs, monkeypatch):
    def sniff(self, head):
        raise TypeError("unhashable type")

    monkeypatch.setattr(discover.READERS["codex"], "sniff", sniff)
    assert read_log(logs).report.sessions == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_file_that_may_not_be_opened_is_named_and_the_rest_is_read(logs):
    (logs / "one.jsonl").chmod(0)
    report = read_log(logs).report
    assert "cannot be opened" in report.files_skipped[str(logs / "one.jsonl")]
    assert report.sessions == 1


def test_an_open_that_fails_is_named_and_the_rest_is_read(logs, monkeypatch):
    head_of = discover.head_of

    def refuse(path):
        if path.name == "one.jsonl":
            raise PermissionError(13, "Permission denied")
        return head_of(path)

    monkeypatch.setattr(discover, "head_of", refuse)
    report = read_log(logs).report
    assert "Permission denied" in report.files_skipped[str(logs / "one.jsonl")]
    assert report.sessions == 1
    with pytest.raises(InputError, match=r"Permission denied.*read permission"):
        read_log(logs / "one.jsonl")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b"", "empty"),
        ("a.jsonl.gz", b"", "empty"),
        ("a.gz", gzip.compress(b"", mtime=0), "empty"),
        ("a.md", b"# hello\n", "not a known log format"),
        ("a.json", b'{"x": 1}\n', "unknown format"),
        ("a.json", GEMINI, "Gemini"),
        ("a.eval", b"PK\x03\x04rest", "zip"),
        ("a.jsonl", '{"a":1}\n'.encode("utf-16"), "UTF-16"),
        ("a.zst", b"\x28\xb5\x2f\xfdrest", "zstd"),
        ("a.bin", bytes(range(256)), "not a known log format"),
    ],
)
def test_what_no_reader_knows_is_an_error_with_file_and_cure(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    for target in (path, tmp_path):
        with pytest.raises(InputError, match=message) as error:
            read_log(target)
        assert str(path) in str(error.value)
        assert "claude_code" in error.value.cure


def test_a_missing_path_an_empty_folder_and_an_unknown_reader_are_errors(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        read_log(tmp_path / "nowhere")
    with pytest.raises(InputError, match="no file"):
        read_log(tmp_path)
    (tmp_path / "a.jsonl").write_bytes(transcript())
    with pytest.raises(ConfigError, match="claude_code"):
        read_log(tmp_path, "claude_cod")


def test_a_session_without_touches_is_an_error_and_no_empty_log(tmp_path):
    line = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": "hello"}}
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InputError, match="1 files, 1 lines, 0 tool calls"):
        read_log(tmp_path)


def test_progress_tells_the_bytes_on_disk(logs):
    told: list[tuple[str, int, int]] = []
    read_log(logs, options=ReadOptions(progress=lambda *what: told.append(what)))
    sizes = [(logs / "one.jsonl"), (logs / "sub/deep/two.log.gz")]
    total = sum(path.stat().st_size for path in sizes)
    assert told[-1][1:] == (total, total)
    assert {name for name, _, _ in told} == {str(path) for path in sizes}


def test_many_skipped_files_are_counted_when_no_longer_named(logs, monkeypatch):
    monkeypatch.setattr(discover, "MAX_SKIPPED_FILES", 1)
    report = read_log(logs).report
    assert len(report.files_skipped) == 1
    assert report.skipped["further file that is no log"] == 1


def test_a_first_line_larger_than_the_head_is_still_known(tmp_path):
    line = json.loads(transcript(calls=1))
    line = {"parentUuid": None, **line, "filler": "x" * 400_000}
    text = json.dumps(line, separators=(",", ":"))
    (tmp_path / "a.jsonl").write_text(text + "\n")
    assert read_log(tmp_path).events.height == 1


def test_every_reader_has_a_name_and_a_line_about_it():
    for name in discover.READERS:
        reader = discover.READERS[name]
        assert reader.name == name
        assert reader.describe
        assert "\n" not in reader.describe


def test_a_corpus_is_no_log_and_says_how_it_is_read(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "words"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "which?"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    with pytest.raises(InputError, match=r"corpus\.jsonl: is part of a corpus.*dataset=corpus"):
        read_log(tmp_path)
    with pytest.raises(InputError, match="is part of a corpus"):
        read_log(tmp_path / "corpus.jsonl")
