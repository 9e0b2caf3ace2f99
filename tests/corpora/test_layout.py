"""The parts of a corpus are found by name, and what is missing is named."""

import re
import shutil

import pytest

from hebb_lab.corpora.layout import layout_of
from hebb_lab.errors import ConfigError, InputError
from tests.corpora.made import QRELS, TINY, corpus, pack


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("qrels.tsv", ""), ("qrels.txt", ""), ("qrels.trec", ""), ("qrels/test.tsv", "test"),
        ("qrels/dev.tsv", "dev"), ("qrels/all.trec", "all"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_every_place_of_the_qrels_is_found_plain_and_packed(tmp_path, name, split, packed):
    corpus(tmp_path, name=name)
    if packed:
        for file in ("corpus.jsonl", "queries.jsonl", name):
            pack(tmp_path / file)
    found = layout_of(tmp_path, None)
    ending = ".gz" if packed else ""
    assert [file.relative_to(tmp_path).as_posix() for file in found.files] == [
        f"corpus.jsonl{ending}", f"queries.jsonl{ending}", f"{name}{ending}",
    ]  # fmt: skip
    assert (found.split, found.unused) == (split, {})


@pytest.mark.parametrize(
    ("parts", "missing"),
    [
        ({"documents": None}, "no corpus.jsonl. A corpus is"),
        ({"questions": None}, "no queries.jsonl. A corpus is"),
        ({"qrels": None}, "no qrels. A corpus is"),
        (
            {"documents": None, "questions": None, "qrels": None},
            "no corpus.jsonl and no queries.jsonl and no qrels. A corpus is",
        ),
    ],
)
def test_missing_parts_are_all_named_with_the_folder(tmp_path, parts, missing):
    corpus(tmp_path, **parts)
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}: the folder has {missing}")):
        layout_of(tmp_path, None)


def test_no_folder_and_a_file_in_its_place_are_told(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        layout_of(tmp_path / "gone", None)
    corpus(tmp_path)
    with pytest.raises(InputError, match="a file and no folder"):
        layout_of(tmp_path / "corpus.jsonl", None)


def test_a_corpus_one_folder_down_is_pointed_at(tmp_path):
    (tmp_path / "inner").mkdir()
    corpus(tmp_path / "inner")
    with pytest.raises(InputError, match=rf"Read {tmp_path / 'inner'}"):
        layout_of(tmp_path, None)


def test_of_several_splits_test_is_taken_and_another_on_demand(tmp_path):
    assert layout_of(TINY, None).split == "test"
    assert layout_of(TINY, "dev").qrels.name == "dev.tsv"
    with pytest.raises(ConfigError, match=r"split=train is not there\. Use one of dev, test"):
        layout_of(TINY, "train")
    shutil.copytree(TINY, tmp_path / "c")
    (tmp_path / "c/qrels/test.tsv").rename(tmp_path / "c/qrels/train.tsv")
    with pytest.raises(ConfigError, match=r"none is named test: dev, train.*dataset\.split"):
        layout_of(tmp_path / "c", None)


def test_a_split_is_refused_where_there_are_none(tmp_path):
    with pytest.raises(ConfigError, match=r"without splits\. Leave dataset\.split null"):
        layout_of(corpus(tmp_path), "test")


def test_files_that_would_serve_as_well_are_named(tmp_path):
    corpus(tmp_path, name="qrels/test.tsv")
    (tmp_path / "qrels/test.trec").write_text("q1 0 d1 1\n")
    (tmp_path / "qrels.tsv").write_text(QRELS)
    pack(tmp_path / "corpus.jsonl")
    corpus(tmp_path, qrels=None)
    found = layout_of(tmp_path, None)
    assert found.documents.name == "corpus.jsonl"
    assert found.qrels.name == "test.trec"
    assert {file.rpartition("/")[2]: why for file, why in found.unused.items()} == {
        "corpus.jsonl.gz": "corpus.jsonl is read in its place",
        "test.tsv": "test.trec is read for this split",
        "qrels.tsv": "the qrels are taken from the folder qrels",
    }


def test_what_the_corpus_states_of_its_graph_is_found_where_it_is_there(tmp_path):
    corpus(tmp_path)
    found = layout_of(tmp_path, None)
    assert (found.edges, found.chains, found.relations) == (None, None, None)
    for name in ("hebbian_edges", "temporal_chains", "entities"):
        (tmp_path / f"{name}.jsonl").write_text("{}")
    pack(tmp_path / "entities.jsonl")
    found = layout_of(tmp_path, None)
    assert [file.name for file in found.files[3:]] == [
        "hebbian_edges.jsonl", "temporal_chains.jsonl", "entities.jsonl.gz",
    ]  # fmt: skip
