"""The real LoCoMo: its counts, and BM25 on it held to published figures."""

from collections import Counter

import numpy as np
import pytest

from hebb_lab.corpora.locomo import LocomoOptions, read_locomo
from hebb_lab.evaluation.query_set import TaskSettings
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import DatasetSettings, WindowSettings
from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.recall.cognitive.pipeline import Pipeline
from hebb_lab.recall.cognitive.plan import Asked, Plan
from hebb_lab.records import Lists


@pytest.fixture(scope="module")
def folder(shared_data):
    path = shared_data / "locomo"
    if not path.is_dir():
        pytest.skip(f"LoCoMo is not here: {path}")
    return path


@pytest.fixture(scope="module")
def whole(folder):
    return read_locomo(folder, LocomoOptions(categories=(1, 2, 3, 4, 5)))


@pytest.fixture(scope="module")
def usual(folder):
    return read_locomo(folder)


def tasks_of(dataset):
    made = prepare(dataset, DatasetSettings(windows=WindowSettings(by="session")))
    names = ("question_to_evidence", "question_to_corrected_evidence")
    return [made.task(name, TaskSettings()) for name in names]


def test_every_turn_session_and_question_is_there(whole):
    assert len(whole.memories) == len(set(whole.memories.names)) == 5_882
    assert len(whole.memories.sessions) == 272
    assert len(whole.memories.scopes) == 10
    assert Counter(whole.questions.category) == {
        "multi-hop": 282, "temporal": 321, "open-domain": 96, "single-hop": 841,
        "adversarial": 446,
    }  # fmt: skip
    assert not whole.log.report.skipped


def test_a_session_is_a_memory_where_it_is_asked_for(folder):
    assert len(read_locomo(folder, LocomoOptions(unit="session")).memories) == 272


def test_what_was_mended_in_the_evidence_is_counted(whole):
    assert dict(whole.log.report.mended) == {
        "evidence that is written otherwise than turns are named: mended": 6,
        "evidence of a turn that does not exist: left out": 2,
        "evidence that names no turn: left out": 1,
        "question without evidence that can be used: no gold": 4,
        "correction that finds no evidence: no corrected gold": 1,
        "text without an entry among the given entities: none are known": 454,
        "entity of a second type: the first written is kept": 51,
    }


def test_every_turn_has_its_entities(whole):
    places = whole.log.report.examples
    why = "text without an entry among the given entities: none are known"
    assert all("/qa:" in place for place in places[why])
    assert len(whole.memories.mentions.ids) > 5_882


def test_1536_questions_of_the_first_four_categories_can_be_asked_and_1982_of_all(whole, usual):
    official, corrected = tasks_of(usual)
    assert (len(official.queries), len(official.clusters)) == (1_536, 10)
    assert official.excluded == {"questions without qrels": 4}
    assert len(corrected.queries) == 1_535
    assert [len(task.queries) for task in tasks_of(whole)] == [1_982, 1_981]


def test_155_of_156_corrections_find_evidence_and_93_change_the_gold(whole):
    asked = whole.questions
    changed = [
        set(official[0]) != set(corrected[0])
        for official, corrected in zip(asked.gold, asked.corrected, strict=True)
    ]
    assert sum(changed) == 93


def test_a_question_is_asked_to_its_own_conversation(usual):
    task, _ = tasks_of(usual)
    memories = usual.memories
    size = Counter(memories.scopes[s] for s in memories.scope.tolist())
    scope = {i: q.scope for i, q in zip(usual.questions.ids, usual.questions.cues, strict=True)}
    for q, name in enumerate(task.queries.query_ids):
        barred = task.queries.exclude_ptr[q + 1] - task.queries.exclude_ptr[q]
        assert barred == 5_882 - size[scope[name]]


def test_no_search_words_of_the_annotators_are_in_a_text(folder, usual):
    assert not any("img_url" in text or "re-download" in text for text in usual.texts.values())
    assert usual.texts["conv-26/D1:5"] == (
        "1:56 pm on 8 May, 2023 Caroline: The transgender stories were so inspiring! I was so happy"
        " and thankful for all the support. [a photo of a dog walking past a wall with a painting"
        " of a woman]"
    )


def recall_at_10(dataset, gold):
    """Mean share of the gold among the best 10 of BM25, each question in its own scope."""
    shares, asked = [], dataset.questions
    for scope, name in enumerate(dataset.memories.scopes):
        memories, _ = dataset.memories.within(scope)
        own = [q for q in range(len(asked)) if asked.cues[q].scope in (name, "") and gold[q][0]]
        none, after = Lists.of([[] for _ in own]), int(memories.time_us[-1]) + 1
        asking = Asked(
            tuple(asked.texts[q] for q in own), np.full(len(own), len(memories)),
            np.full(len(own), after), Cues(none, none),
        )  # fmt: skip
        (answers,) = Pipeline(memories).answer(asking, [Plan()], 10)
        for row, q in zip(answers.memory.tolist(), own, strict=True):
            best = {memories.names[m] for m in row if m >= 0}
            shares.append(len(best & set(gold[q][0])) / len(gold[q][0]))
    return float(np.mean(shares))


@pytest.mark.parametrize(
    ("options", "published"),
    [
        ({"dates": False}, 0.551), ({}, 0.575), ({"dates": False, "index": "pooled"}, 0.501),
        ({"unit": "session", "dates": False}, 0.905),
    ],
)  # fmt: skip
def test_bm25_reaches_what_was_measured_of_it_elsewhere(folder, options, published):
    made = read_locomo(folder, LocomoOptions(**options))
    assert recall_at_10(made, made.questions.gold) == pytest.approx(published, abs=0.005)


def test_bm25_against_corrected_gold_is_a_little_better(folder):
    made = read_locomo(folder, LocomoOptions(dates=False))
    assert recall_at_10(made, made.questions.corrected) == pytest.approx(0.5534, abs=0.001)
