import json
import os
import subprocess
import sys

import pytest

from hebb_lab.graph.files import __main__ as command
from hebb_lab.graph.files import describe, saving
from hebb_lab.graph.stored import read_graphs
from tests.graph.files.made_files import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_is_said_in_figures(tmp_path, capsys, kind):
    name, make, _, write = KINDS[kind]
    write(tmp_path / name, make())
    assert command.main([str(tmp_path / name)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{tmp_path / name}: ")
    assert len(out.splitlines()) == 1 + len(describe.described(make()))


def test_names_whose_hash_is_another_one_are_counted(tmp_path):
    said = describe.described(KINDS["co-activation"][1]())
    assert (said["tags"], said["other hash"]) == ("3", "0")


def test_a_broken_file_is_a_sentence_and_the_others_are_still_said(tmp_path, capsys):
    name, make, _, write = KINDS["chain"]
    write(tmp_path / name, make())
    (tmp_path / "broken").write_bytes(b"HCSR")
    assert command.main([str(tmp_path / "broken"), str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert "TPCH" in captured.out
    assert "at byte 0: the header would take 24 bytes and the file ends at 4" in captured.err


def test_the_command_runs_as_a_module_and_explains_itself():
    run = subprocess.run(
        [sys.executable, "-m", "hebb_lab.graph.files", "--help"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0
    assert "2 one is none of these, or is broken" in run.stdout


@pytest.mark.parametrize("times", [1, 2000])
def test_a_reader_that_wants_no_more_ends_it_quietly(tmp_path, times):
    name, make, _, write = KINDS["chain"]
    write(tmp_path / name, make())
    reads, writes = os.pipe()
    os.close(reads)
    run = subprocess.run(
        [sys.executable, "-m", "hebb_lab.graph.files", *[str(tmp_path / name)] * times],
        stdout=writes, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writes)
    assert (run.returncode, run.stderr) == (command.PIPE_CLOSED, "")


@pytest.mark.parametrize(("rules", "pairs"), [("documented", "coactivation.dat"), ("observed", "")])
def test_the_graphs_of_a_data_set_are_saved_and_said(tmp_path, capsys, rules, pairs):
    corpus = made_corpus(tmp_path / "corpus")
    out = tmp_path / "out" / rules
    assert command.main(["save", str(corpus), str(out), "--rules", rules]) == 0
    said = capsys.readouterr().out
    assert all(f"{path}: " in said for path in out.iterdir())
    assert (out / (pairs or "coactivation.tracker")).is_file()
    assert command.main([str(path) for path in sorted(out.iterdir())]) == 0
    assert len(read_graphs(out).chain.previous) == 3


def test_the_first_memories_alone_may_be_saved(tmp_path):
    corpus = made_corpus(tmp_path / "corpus")
    saving.save_dataset(corpus, tmp_path / "out", known=2)
    assert len(read_graphs(tmp_path / "out").chain.previous) == 2


def test_locomo_is_known_by_its_file(tmp_path, shared_data):
    saving.save_dataset(shared_data / "locomo", tmp_path, known=100)
    assert len(read_graphs(tmp_path).chain.previous) == 100


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["nowhere", "out"], "no such folder"),
        (["corpus", "out", "--known", "4"], "4 memories of 3 are to be known"),
        (["corpus", "corpus/corpus.jsonl"], "cannot be made"),
    ],
)
def test_what_cannot_be_saved_is_a_sentence(tmp_path, capsys, monkeypatch, options, problem):
    made_corpus(tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)
    assert command.main(["save", *options]) == 2
    captured = capsys.readouterr()
    assert problem in captured.err
    assert captured.out == ""


def test_save_explains_itself_and_wants_a_folder(capsys):
    with pytest.raises(SystemExit, match="0"):
        command.main(["save", "--help"])
    assert "DATASET_FOLDER OUT" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        command.main(["save", "corpus"])


def made_corpus(folder):
    folder.mkdir()
    documents = [
        {"id": f"d{i}", "text": "words", "timestampMs": 1000 * i, "sessionId": "s",
         "synapticTags": [tag], "entityMentions": [{"name": "Ada", "type": "PERSON"}]}
        for i, tag in enumerate(("p99", "pool", "p99"), 1)
    ]  # fmt: skip
    lines = [json.dumps(document) for document in documents]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "words"}')
    (folder / "qrels.tsv").write_text("query_id\tcorpus_id\trelevance_grade\nq\td1\t1\n")
    return folder
