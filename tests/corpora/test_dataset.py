"""A folder becomes a dataset: documents are touches, questions have gold."""

import gzip
import json

import numpy as np
import pytest

from hebb_lab.corpora import read_corpus
from hebb_lab.errors import InputError
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch
from tests.corpora.hostile import spoiled
from tests.corpora.made import DOCUMENTS, QRELS, QUESTIONS, TINY, corpus, pack


def test_documents_questions_and_gold_come_together(tmp_path):
    made = read_corpus(corpus(tmp_path), name="mine")
    assert made.name == "mine"
    assert made.log.events["node"].to_list() == ["d1", "d2", "d3"]
    assert set(made.texts) == {"d1", "d2", "d3"}
    asked = made.questions
    assert (asked.ids, asked.texts) == (("q1", "q2"), ("which apple", "which plum"))
    assert asked.gold == ((("d1", "d2"), (2, 1)), (("d3",), (1,)))
    assert asked.time_us == (None, None)
    assert asked.group == ("q1", "q2")
    assert made.log.report.sentences()[1] == "2 questions, 3 judgements"


def test_documents_are_memories_in_the_order_of_writing(tmp_path):
    made = read_corpus(corpus(tmp_path))
    assert made.memories.names == ("d1", "d2", "d3")
    assert made.memories.texts[0] == made.texts["d1"] == "Red a red apple"
    assert made.memories.scopes == ("all",)
    assert made.questions.category == ("", "")


def test_a_conversation_is_the_scope_of_its_documents_and_its_questions(tmp_path):
    documents = [document | {"conversationId": f"c{i}"} for i, document in enumerate(DOCUMENTS)]
    questions = [QUESTIONS[0] | {"conversationId": "c1"}, QUESTIONS[1]]
    made = read_corpus(corpus(tmp_path, documents, questions))
    assert made.memories.scopes == ("c0", "c1", "c2")
    assert [cues.scope for cues in made.questions.cues] == ["c1", ""]
    assert made.questions.group == ("c1", "q2")


def test_packed_files_give_the_same_dataset(tmp_path):
    plain = read_corpus(corpus(tmp_path)).sha256()
    for file in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
        pack(tmp_path / file)
    assert read_corpus(tmp_path).sha256() == plain


def test_judgements_of_questions_that_are_not_there_are_counted(tmp_path):
    made = read_corpus(corpus(tmp_path, qrels=QRELS + "q7\td1\t1\nq8\td2\t0\n"))
    assert made.questions.strays == 2


def test_documents_of_one_session_are_active_together():
    touches = touches_of(read_corpus(TINY).log)
    windows = co_activations(touches, window_of_touch(touches, "session"))
    assert sorted(windows.sizes().tolist()) == [1, *[3] * 8]


def test_documents_without_sessions_and_times_stand_alone_in_the_order_of_the_file(tmp_path):
    objects = [{"_id": name, "text": "x"} for name in ("z", "a", "m")]
    made = read_corpus(corpus(tmp_path, objects, qrels="q1\tz\t1\n"))
    touches = touches_of(made.log)
    assert [touches.nodes[node] for node in touches.node] == ["z", "a", "m"]
    assert (window_of_touch(touches, "session") == [0, 1, 2]).all()


def test_times_of_questions_mean_nothing_where_no_document_has_one(tmp_path):
    documents = [{"_id": "d1", "text": "x"}]
    questions = [{"_id": "q1", "text": "x?", "time": 1_750_000_000}]
    made = read_corpus(corpus(tmp_path, documents, questions, "q1\td1\t1\n"))
    assert made.questions.time_us == (None,)
    assert "times of questions are not used" in made.log.report.warnings[-1]


def test_progress_counts_the_bytes_of_all_files(tmp_path):
    told = []
    read_corpus(corpus(tmp_path), progress=lambda *what: told.append(what))
    total = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert [entry[1:] for entry in told][-1] == (total, total)
    assert len(told) == 3


def test_a_damaged_archive_is_read_as_far_as_it_goes(tmp_path):
    corpus(tmp_path)
    whole = gzip.compress((tmp_path / "corpus.jsonl").read_bytes())
    (tmp_path / "corpus.jsonl").unlink()
    (tmp_path / "corpus.jsonl.gz").write_bytes(whole[:-6])
    made = read_corpus(tmp_path)
    assert made.log.events.height == 3
    assert "too early" in made.log.report.files_skipped[str(tmp_path / "corpus.jsonl.gz")]


def test_a_part_that_cannot_be_opened_is_an_error_with_its_name(tmp_path, monkeypatch):
    corpus(tmp_path)
    real = type(tmp_path).open

    def shut(self, *arguments, **more):
        if self.name == "queries.jsonl":
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, *arguments, **more)

    monkeypatch.setattr(type(tmp_path), "open", shut)
    with pytest.raises(InputError, match=r"queries\.jsonl: cannot be opened: Permission denied"):
        read_corpus(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"documents": [DOCUMENTS[0] | {"text": "other words"}, *DOCUMENTS[1:]]},
        {"questions": [QUESTIONS[0] | {"text": "which pear"}, QUESTIONS[1]]},
        {"questions": [QUESTIONS[0] | {"group": "fruit"}, QUESTIONS[1]]},
        {"questions": [QUESTIONS[0] | {"time": 1_760_000_000}, QUESTIONS[1]]},
        {"qrels": QRELS.replace("d1\t2", "d1\t3")},
        {"qrels": QRELS + "q9\td1\t1\n"},
        {"documents": [DOCUMENTS[0] | {"tags": ["fruit"]}, *DOCUMENTS[1:]]},
        {"questions": [QUESTIONS[0] | {"category": "fruit"}, QUESTIONS[1]]},
    ],
)
def test_another_text_question_or_grade_is_another_dataset(tmp_path, change):
    first = read_corpus(corpus(tmp_path)).sha256()
    assert read_corpus(tmp_path).sha256() == first
    assert read_corpus(corpus(tmp_path, **change)).sha256() != first


WHOLE = {
    "corpus": [
        {
            "id": f"d{i}", "text": "x", "title": "t", "sessionId": f"s{i % 2}",
            "timestampMs": 1_750_000_000_000 + i, "synapticTags": ["red", "p99"], "valence": 5,
            "importance": 2.5, "arousal": 9, "recallCount": 1, "pinned": True,
            "entityMentions": [{"name": "Ann", "type": "PERSON"}], "conversationId": "c",
            "metadata": {"tags": ["x"]},
        }
        for i in range(4)
    ],
    "queries": [
        {
            "id": "q1", "text": "x?", "cognitiveProfile": "BALANCED", "conversationId": "c",
            "synapticFilterTags": ["red"], "minValence": -5, "maxValence": 5,
            "entities": [{"name": "Ann"}], "temporalHint": "RECENT", "category": 2,
        }
    ],
    "hebbian_edges": [{"memoryIdA": "d0", "memoryIdB": "d1", "coActivationCount": 3}] * 2,
    "temporal_chains": [{"sessionId": "s", "orderedMemoryIds": ["d0", "d1", "d2"]}],
    "entities": [
        {
            "fromEntity": {"name": "Ann", "type": "PERSON"}, "toEntity": {"name": "Bob"},
            "relationType": "KNOWS", "sourceMemoryIds": ["d0", "d2"],
        }
    ],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(150))
def test_whatever_stands_in_the_files_is_read_counted_or_refused(tmp_path, seed):
    rng = np.random.default_rng(seed)
    for name, rows in spoiled(WHOLE, rng, times=int(rng.integers(1, 12))).items():
        rows = rows if isinstance(rows, list) else [rows]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "qrels.tsv").write_text("q1\td0\t1\n")
    try:
        made = read_corpus(tmp_path)
    except InputError:
        return
    memories = made.memories
    assert len(memories) == made.log.events.height == len(made.texts)
    assert memories.sha256()
    known = memories.importance[~np.isnan(memories.importance)]
    assert ((known >= np.float32(0.05)) & (known <= 10)).all()
    assert ((memories.arousal >= -1) & (memories.arousal <= 255)).all()
    assert all(name.strip() for name in memories.entity_names + memories.tag_names)
    assert (memories.hints.first != memories.hints.second).all()
    if memories.chains is not None:
        assert len(set(memories.chains.ids.tolist())) == len(memories.chains.ids)
    made.log.report.sentences()
