import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.telemetry import lines
from hebb_lab.telemetry.lines import iter_records
from hebb_lab.telemetry.report import ReadReport


def read(tmp_path: Path, data: bytes, name: str = "log.jsonl", **options):
    path = tmp_path / name
    path.write_bytes(data)
    report = ReadReport()
    return list(iter_records(path, report, **options)), report


def test_each_record_knows_its_line_and_its_byte(tmp_path):
    data = b'{"a":1}\r\n\n{"a":"\xc3\xa9"}\n{"a":3}'
    records, report = read(tmp_path, data)
    assert [(r.obj["a"], r.line) for r in records] == [(1, 1), ("é", 3), (3, 4)]
    assert all(data[r.byte :].startswith(b'{"a"') for r in records)
    assert report.lines_read == 4
    assert not report.skipped
    assert report.bytes_read == len(data)


def test_two_records_on_one_line_are_both_given(tmp_path):
    records, report = read(tmp_path, b'{"a":1}{"a":2} {"a":3}\n')
    assert [(r.obj["a"], r.line, r.byte) for r in records] == [(1, 1, 0), (2, 1, 0), (3, 1, 0)]
    assert report.lines_salvaged == 1
    assert not report.skipped


def test_a_record_written_into_a_truncated_one_is_saved_and_the_other_counted(tmp_path):
    broken = b'{"k":1,"message":{"content":[{"type":"text","text":"so it g{"k":2}\n{"k":3}\n'
    records, report = read(tmp_path, broken)
    assert [r.obj for r in records] == [{"k": 2}, {"k": 3}]
    assert report.skipped == {"broken record": 1}
    assert report.examples["broken record"] == [f"{tmp_path / 'log.jsonl'}:1"]


@given(st.integers(1, 60))
def test_wherever_a_record_is_cut_the_one_behind_it_is_saved(cut):
    whole = '{"uuid":"a","m":{"c":[{"t":"x","i":{"p":"/a{b.py"}}],"n":[1,2]},"e":null}'
    text = whole[:cut] + '{"uuid":"b","m":{"c":[]}}'
    found, lost = lines.salvage(text, frozenset({"uuid"}))
    assert found == [{"uuid": "b", "m": {"c": []}}]
    assert lost


def test_the_inside_of_a_broken_record_is_no_record(tmp_path):
    data = b'{"uuid":1,"m":[{"type":"tool_use"},{"type":"x"}\n'
    records, report = read(tmp_path, data, keys=frozenset({"uuid"}))
    assert records == []
    assert report.skipped == {"broken record": 1}
    assert report.lines_salvaged == 0


def test_nul_runs_before_a_record_are_dropped_and_counted(tmp_path):
    records, report = read(tmp_path, b"\x00" * 512 + b'{"a":1}\n' + b"\x00" * 300 + b"\n")
    assert [r.obj for r in records] == [{"a": 1}]
    assert report.lines_salvaged == 1
    assert report.skipped == {"nothing but NUL bytes": 1}


def test_a_byte_order_mark_and_bytes_that_are_not_utf_8_do_no_harm(tmp_path):
    data = b'\xef\xbb\xbf{"a":1}\n{"a":"caf\xe9"}\n'
    records, report = read(tmp_path, data)
    assert [r.obj["a"] for r in records] == [1, "caf�"]
    assert records[1].byte == data.index(b"\n") + 1
    assert report.examples["bytes that are not UTF-8, replaced"] == [f"{tmp_path / 'log.jsonl'}:2"]


def test_utf_16_and_zstd_files_are_skipped_with_the_cure(tmp_path):
    _, utf16 = read(tmp_path, '{"a":1}\n'.encode("utf-16"))
    _, zstd = read(tmp_path, b"\x28\xb5\x2f\xfdrest")
    assert "UTF-8" in next(iter(utf16.files_skipped.values()))
    assert "zstd -d" in next(iter(zstd.files_skipped.values()))


def test_a_last_line_without_newline_is_read_and_a_half_one_counted(tmp_path):
    records, report = read(tmp_path, b'{"a":1}\n{"a":2}')
    assert len(records) == 2
    records, report = read(tmp_path, b'{"a":1}\n{"a":2,"b":"ha')
    assert len(records) == 1
    assert report.skipped == {"truncated last line": 1}


@pytest.mark.parametrize("line", [b"[1,2]", b"17", b'"text"', b"null"])
def test_json_that_is_no_object_is_counted(tmp_path, line):
    records, report = read(tmp_path, line + b"\n")
    assert records == []
    assert report.skipped == {"no JSON object": 1}


def test_text_deep_nesting_and_endless_numbers_are_counted_not_raised(tmp_path):
    deep = b'{"a":' + b"[" * 200_000 + b"\n"
    number = b'{"a":' + b"9" * 5000 + b"}\n"
    records, report = read(tmp_path, b"hello\n" + deep + number + b'{"a":1}\n')
    assert [r.obj for r in records] == [{"a": 1}]
    assert report.skipped == {"no JSON object": 1, "broken record": 2}


def test_gzip_is_known_by_its_first_bytes_and_may_be_several_archives(tmp_path):
    data = gzip.compress(b'{"a":1}\n{"a"') + gzip.compress(b":2}\n") + b"\x00" * 512
    records, report = read(tmp_path, data, name="no_suffix")
    assert [r.obj["a"] for r in records] == [1, 2]
    assert not report.files_skipped
    plain, _ = read(tmp_path, b'{"a":1}\n', name="liar.gz")
    assert len(plain) == 1


def test_of_a_damaged_archive_the_readable_beginning_is_kept(tmp_path):
    lines_of = b"".join(
        json.dumps({"a": i, "b": f"{i * 7919}"}).encode() + b"\n" for i in range(9999)
    )
    data = gzip.compress(lines_of)
    records, report = read(tmp_path, data[: len(data) // 2])
    assert 1000 < len(records) < 9999
    assert "ends too early" in next(iter(report.files_skipped.values()))
    torn = bytearray(data)
    torn[len(data) // 2 : len(data) // 2 + 64] = b"\xff" * 64
    _, report = read(tmp_path, bytes(torn))
    assert "damaged" in next(iter(report.files_skipped.values()))


@pytest.mark.parametrize("data", [b"", gzip.compress(b"", mtime=0)])
def test_an_empty_file_and_an_empty_archive_are_named(tmp_path, data):
    records, report = read(tmp_path, data, name="empty.gz")
    assert records == []
    assert report.files_skipped or report.lines_read == 0


def test_a_line_that_spans_chunks_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 7)
    objects = [{"a": "x" * size} for size in range(40)]
    data = b"".join(json.dumps(obj).encode() + b"\n" for obj in objects)
    records, _ = read(tmp_path, data)
    assert [r.obj for r in records] == objects
    assert all(data[r.byte :].startswith(json.dumps(r.obj).encode()) for r in records)
    packed, _ = read(tmp_path, gzip.compress(data))
    assert packed == records


def test_a_line_without_end_is_not_held_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE", 100)
    monkeypatch.setattr(lines, "CHUNK", 16)
    data = b'{"a":"' + b"x" * 500 + b'"}\n{"a":1}\n{"b":"' + b"x" * 500
    records, report = read(tmp_path, data)
    assert [(r.obj, r.line) for r in records] == [({"a": 1}, 2)]
    assert sum(report.skipped.values()) == 2


def test_unwanted_lines_are_not_parsed_but_broken_ones_are(tmp_path):
    data = b'{"a":1}\n{"skip":1}\n{"skip":1}{"a":2}\n{"skip":'
    wanted = lambda line: b"skip" not in line or b"}{" in line  # noqa: E731
    records, report = read(tmp_path, data, wanted=wanted)
    assert [r.obj for r in records] == [{"a": 1}, {"skip": 1}, {"a": 2}]
    assert report.lines_read == 4
    assert report.skipped == {"truncated last line": 1}


def test_progress_adds_up_to_the_size_on_disk(tmp_path):
    data = gzip.compress(b'{"a":1}\n' * 1000)
    told: list[int] = []
    read(tmp_path, data, on_bytes=told.append)
    assert sum(told) == len(data)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(iter_records(tmp_path / "none", ReadReport()))


def test_the_real_spliced_lines_are_all_saved(shared_data):
    path = shared_data / "telemetry/claude_code/dirt/concatenated_lines_entire_cli.jsonl"
    report = ReadReport()
    records = list(iter_records(path, report))
    assert report.lines_salvaged == report.lines_read
    assert len(records) == path.read_bytes().count(b"}{") + report.lines_read
    assert not report.skipped


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=4), st.booleans())
def test_a_whole_line_is_read_as_the_json_of_the_standard_library_reads_it(obj, escaped):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        path.write_bytes(json.dumps(obj, ensure_ascii=escaped).encode() + b"\n")
        report = ReadReport()
        (found,) = iter_records(path, report)
    assert found.obj == obj
    assert report.lines_salvaged == 0


@pytest.mark.parametrize("odd", ["NaN", "-Infinity", "1e999", '"\ttab"', '"\\ud800"'])
def test_what_json_forbids_and_logs_hold_is_read_and_no_loss(odd, tmp_path):
    report = ReadReport()
    path = tmp_path / "odd.jsonl"
    path.write_text(f'{{"odd":{odd},"id":1}}\n')
    (found,) = iter_records(path, report)
    assert found.obj["id"] == 1
    assert (report.lines_salvaged, dict(report.skipped)) == (0, {})


@pytest.mark.parametrize("number", [10**29 + 1, -(10**29) - 1, 2**64, -(2**63) - 1, 2**63, 7])
def test_a_whole_number_of_any_length_is_that_very_number(number, tmp_path):
    records, report = read(tmp_path, f'{{"_id": {number}}}\n'.encode())
    assert repr(records[0].obj["_id"]) == str(number)
    assert (report.lines_salvaged, dict(report.skipped)) == (0, {})


def test_a_large_number_with_a_fraction_stays_a_float(tmp_path):
    records, _ = read(tmp_path, b'{"size": 1e300, "other": -2.5e19}\n')
    assert records[0].obj == {"size": 1e300, "other": -2.5e19}
