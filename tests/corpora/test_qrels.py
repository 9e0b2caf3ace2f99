"""Judgements in three columns or four, with a header or without."""

import numpy as np
import pytest

from hebb_lab.corpora.qrels import MAX_GRADE, read_qrels
from hebb_lab.errors import InputError
from tests.corpora.made import places, sink

EXPECTED = {"q1": {"d1": 3, "d 2": 0}, "q2": {"d1": -1}}


def read(tmp_path, content):
    """(grades, report)."""
    path = tmp_path / "qrels.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    into, report = sink()
    return read_qrels(path, into, report), report


@pytest.mark.parametrize(
    "content",
    [
        "query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td 2\t0\nq2\td1\t-1\n",
        "query_id\tcorpus_id\trelevance_grade\nq1\td1\t3\nq1\td 2\t0\nq2\td1\t-1",
        "q1\td1\t3\nq1\td 2\t0\nq2\td1\t-1\n",
        "q1\t0\td1\t3\nq1\t0\td 2\t0\nq2\tQ0\td1\t-1\n",
        "corpus-id\tquery-id\tscore\td\nd1\tq1\t3\tx\nd 2\tq1\t0\tx\nd1\tq2\t-1\tx\n",
        "\ufeffquery-id\tcorpus-id\tscore\r\nq1\td1\t3.0\r\n\r\nq1\td 2\t0.\r\nq2\td1\t-1\r\n",
        "\x00\x00q1\td1\t3\nq1\td 2\t0\nq2\td1\t-1\n\x00\x00",
    ],
)
def test_all_layouts_say_the_same(tmp_path, content):
    grades, report = read(tmp_path, content)
    assert grades == EXPECTED
    assert report.judgements == 3
    assert not report.skipped


def test_spaces_separate_where_there_is_no_tab(tmp_path):
    assert read(tmp_path, "q1 0 d1 3\nq2   0  d1 -1\n")[0] == {"q1": {"d1": 3}, "q2": {"d1": -1}}
    assert read(tmp_path, "query_id corpus_id score\nq1 d1 3\n")[0] == {"q1": {"d1": 3}}


def test_a_line_that_judges_nothing_is_counted_with_its_number(tmp_path):
    grades, report = read(
        tmp_path,
        "q1\td1\t2\nq1\td2\nq1\nq1\td3\thigh\nq1\td3\t1.5\nq1\td3\tnan\nq1\td3\t99999999999\n"
        "q1\td1\t1\nq1\td1\t2\n\td1\t1\nq1\t0\td4\t1\textra\nq9\td9\t1\n",
    )
    assert grades == {"q1": {"d1": 2}, "q9": {"d9": 1}}
    assert dict(report.skipped) == {
        "qrels line with too few columns": 2,
        "grade that is no whole number": 4,
        "second grade of one document for one question: the first is kept": 1,
        "judgement that was seen before": 1,
        "qrels line with an empty id": 1,
        "qrels line with too many columns": 1,
    }
    assert places(report, "qrels line with too few columns") == [2, 3]
    assert places(report, "grade that is no whole number") == [4, 5, 6, 7]
    second = "second grade of one document for one question: the first is kept"
    assert places(report, second) == [8]
    assert report.judgements == 2


def test_a_grade_whose_exponential_gain_would_overflow_is_counted_with_its_number(tmp_path):
    grades, report = read(tmp_path, f"q1\td1\t{MAX_GRADE}\nq2\td1\t1001\nq1\td2\t999999999.0\n")
    assert grades == {"q1": {"d1": 1000}}
    assert np.isfinite(np.exp2(MAX_GRADE))
    assert dict(report.skipped) == {"grade above 1,000": 2}
    assert places(report, "grade above 1,000") == [2, 3]


def test_bytes_that_are_not_utf_8_are_replaced_and_counted(tmp_path):
    grades, report = read(tmp_path, b"q1\tcaf\xe9\t1\n")
    assert grades == {"q1": {"caf�": 1}}
    assert dict(report.mended) == {"bytes that are not UTF-8, replaced": 1}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "empty file"),
        ("query-id\tcorpus-id\tscore\n", "no judgement"),
        ("q1\td1\thigh\n", "1 lines skipped, from line 1: grade that is no whole number"),
    ],
)
def test_no_judgement_is_an_error_with_the_file(tmp_path, content, why):
    with pytest.raises(InputError, match=rf"qrels\.tsv: no judgement.*{why}|{why}"):
        read(tmp_path, content)
