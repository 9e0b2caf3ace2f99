"""What a corpus's report says in words."""

import json
from collections import Counter
from pathlib import Path

from hebb_lab.corpora import CorpusReport
from hebb_lab.runs import as_json


def test_questions_and_what_was_mended_are_told():
    report = CorpusReport(reader="corpus", split="dev", questions=2, judgements=1_234)
    report.mend("time that cannot be read", "c.jsonl", 4)
    report.skip("document without text", "c.jsonl", 9)
    said = report.sentences()
    assert said[1] == "2 questions, 1,234 judgements of split dev"
    assert "1 lines skipped: document without text (c.jsonl:9)" in said
    assert said[-1] == "1 lines kept in part: time that cannot be read (c.jsonl:4)"
    assert json.loads(as_json(report.as_dict()))["mended"] == {"time that cannot be read": 1}


def test_losses_are_those_of_one_file():
    report = CorpusReport(files_skipped={"a": "damaged"})
    report.skip("document without text", "b", 9)
    assert report.losses(Path("a")) == ": damaged"
    assert report.losses(Path("b")) == "; 1 lines skipped, from line 9: document without text"
    assert report.losses(Path("c")) == ""


def test_only_the_first_five_places_are_kept():
    report = CorpusReport()
    for line in range(1, 9):
        report.mend("why", "f", line)
    assert report.mended["why"] == 8
    assert report.examples["why"] == [f"f:{line}" for line in range(1, 6)]


def test_new_types_and_what_is_not_used_are_told():
    report = CorpusReport(registered=Counter({"entity type SOFTWARE": 1_200}))
    report.ignored["memoryType"] += 3
    assert report.sentences()[-2:] == [
        "1 types were not known and are registered: entity type SOFTWARE × 1,200",
        "not used: memoryType × 3",
    ]
