"""TREC files: what is written is read again, and a bad line is named."""

import gzip

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.evaluation import judge, parse
from hebb_lab.evaluation.trec import (
    escape,
    join,
    read_qrels,
    read_run,
    unescape,
    write_qrels,
    write_run,
)
from hebb_lab.records import Qrels, Ranking

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
single = st.floats(width=32, allow_nan=False)
tables = st.dictionaries(
    names, st.dictionaries(names, single, min_size=1, max_size=4), min_size=1, max_size=3
)


@given(st.lists(names, unique=True))
def test_escaped_names_keep_their_byte_order_and_have_no_space(all_names):
    escaped = sorted((escape(name).encode(), name) for name in all_names)
    assert [name for _, name in escaped] == sorted(all_names, key=lambda name: name.encode())
    assert all(len(field.split()) == 1 for field, _ in escaped)
    assert [unescape(escape(name)) for name in all_names] == all_names


@given(tables, st.booleans())
def test_a_run_that_is_written_is_read_again_bit_for_bit(tmp_path_factory, run, packed):
    path = tmp_path_factory.mktemp("run") / ("run.trec.gz" if packed else "run.trec")
    joined = join(run, {query: {} for query in run})
    write_run(path, joined.ranking, joined.query_ids, joined.nodes, "an arm")
    assert read_run(path) == {q: dict(found) for q, found in run.items()}
    again = join(read_run(path), {query: {} for query in run})
    assert again.ranking.sha256() == joined.ranking.sha256()


@given(st.dictionaries(names, st.dictionaries(names, st.integers(1, 9), min_size=1), min_size=1))
def test_qrels_that_are_written_are_read_again(tmp_path_factory, judged):
    path = tmp_path_factory.mktemp("qrels") / "qrels.gz"
    joined = join({}, judged)
    write_qrels(path, joined.qrels, joined.query_ids, joined.nodes)
    assert read_qrels(path) == judged


def test_the_bytes_of_a_packed_file_do_not_depend_on_its_name_or_the_hour(tmp_path):
    qrels = Qrels(np.array([0, 1]), np.array([0], np.int32), np.array([1], np.int32))
    for name in ("one.gz", "two.gz"):
        write_qrels(tmp_path / name, qrels, ["q"], ["a"])
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


def test_a_written_run_scores_in_pytrec_eval_as_here(tmp_path):
    ranking = Ranking(
        np.array([[3, 1, 0], [2, -1, -1]], np.int32),
        np.array([[0.1, 0.1, 0.05], [7, -np.inf, -np.inf]], np.float32),
    )
    qrels = Qrels(np.array([0, 2, 3]), np.array([1, 2, 2], np.int32), np.array([2, 1, 1], np.int32))
    nodes = ["a b", "a!c", "b", "z"]
    write_run(tmp_path / "run", ranking, ["q 1", "q 2"], nodes, "arm")
    write_qrels(tmp_path / "qrels", qrels, ["q 1", "q 2"], nodes)
    with (tmp_path / "run").open() as run, (tmp_path / "qrels").open() as truth:
        oracle = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(truth), {"ndcg"})
        scores = oracle.evaluate(pytrec_eval.parse_run(run))
    ours = parse("nDCG")(judge(ranking, qrels, np.ones(4, np.int32)))
    assert ours.tolist() == pytest.approx([s["ndcg"] for s in scores.values()], abs=1e-9)


def test_the_tie_example_scores_as_trec_eval_does_with_all_queries_counted():
    # toolkits.md D.3: a b c are tied, q2 is missing from the run, q9 is not judged.
    judged = {
        "q1": {"a": 1, "b": 0, "c": 2, "d": 0},
        "q2": {"a": 1, "e": 1},
        "q3": {"a": 0, "b": 0},
        "q4": {"x": 1},
    }
    run = {
        "q1": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5},
        "q3": {"a": 0.9},
        "q4": {"x": 1.0},
        "q9": {"z": 1.0},
    }
    joined = join(run, judged)
    found = judge(joined.ranking, joined.qrels, np.ones(len(joined.nodes), np.int32))
    means = {m: round(float(parse(m)(found).mean()), 4) for m in ("nDCG@2", "nDCG@5", "AP", "RR")}
    assert means == {"nDCG@2": 0.44, "nDCG@5": 0.4876, "AP": 0.4583, "RR": 0.5}
    assert (joined.missing, joined.unjudged) == (("q2",), ("q9",))


def test_negative_grades_are_read_and_are_not_relevant(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a -1\nq 0 b 0\nq 0 c 2\n")
    judged = read_qrels(tmp_path / "qrels")
    assert judged == {"q": {"a": -1, "b": 0, "c": 2}}
    joined = join({"q": {"a": 2.0, "c": 1.0}}, judged)
    assert [joined.nodes[i] for i in joined.qrels.ids] == ["c"]
    assert parse("RR")(judge(joined.ranking, joined.qrels, np.ones(3, np.int32))).tolist() == [0.5]


@pytest.mark.parametrize(
    "line",
    ["q Q0 b 2 0.5", "q Q0 b 2 half tag", "q Q0 b 2 nan tag", "q Q0 b 2 1e60 tag", "q Q0 a 2 1 t"],
)
def test_a_bad_line_of_a_run_is_named_with_file_and_line(tmp_path, line):
    path = tmp_path / "run"
    path.write_text(f"q Q0 a 1 0.9 tag\n\n{line}\n")
    with pytest.raises(InputError, match=r"run:3: ") as caught:
        read_run(path)
    assert caught.value.line == 3


@pytest.mark.parametrize("line", [b"q 0 b", b"q 0 b 1.5", b"q 0 a 1", b"q 0 \xff 1"])
def test_a_bad_line_of_qrels_is_named_with_file_and_line(tmp_path, line):
    path = tmp_path / "qrels"
    path.write_bytes(b"q 0 a 1\n" + line + b"\n")
    with pytest.raises(InputError, match="qrels:2: "):
        read_qrels(path)


@pytest.mark.parametrize("content", [b"", b"\n\n", gzip.compress(b"q 0 a 1\n", mtime=0)[:-9], None])
def test_an_empty_broken_or_absent_file_is_an_input_error(tmp_path, content):
    path = tmp_path / "qrels.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"qrels\.gz: "):
        read_qrels(path)
