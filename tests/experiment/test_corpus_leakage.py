"""The canary of a corpus: a question with a time sees only what was written strictly before it."""

import numpy as np
import pytest

from hebb_lab.experiment.methods import METHODS
from tests.corpora.made import corpus
from tests.experiment.tiny import MEMORY_ARMS, workshop

CONFIG = ("+exp=ablation", "dataset=corpus", "recall.embedder=hashing", *MEMORY_ARMS)
MIDNIGHT = 1_750_000_000
WORDS = ["apple", "plum", "pear", "quince", "red", "green", "ripe", "sweet", "basket", "tree"]


def written(sessions, each=4, seed=3):
    """Documents, session after session, an hour apart; a document a minute."""
    rng = np.random.default_rng(seed)
    return [
        {
            "_id": f"d{s}-{i}", "text": " ".join(rng.choice(WORDS, 6)), "session": f"s{s}",
            "time": MIDNIGHT + 3600 * s + 60 * i,
        }
        for s in range(sessions)
        for i in range(each)
    ]  # fmt: skip


def made(folder, documents):
    """A workshop over documents, with a question half an hour after each of the first sessions."""
    folder.mkdir()
    questions, qrels = [], []
    for s in range(1, 5):
        asked = {"time": MIDNIGHT + 3600 * s - 1800, "text": " ".join(WORDS[s : s + 3])}
        questions.append({"_id": f"q{s}", **asked})
        qrels += [f"q{s}\td{r}-0\t{r + 1}\n" for r in range(s)]
    corpus(folder, documents, questions, "".join(qrels))
    return workshop(*CONFIG, f"dataset.path={folder}", f"paths.cache={folder}")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return tmp_path_factory.mktemp("corpora")


@pytest.fixture(scope="module")
def whole(folders):
    return made(folders / "whole", written(7))


def answers(shop, arm, count):
    """[(question, [(document, score)])] of the first questions."""
    task = shop.prepared.task("question_to_evidence", shop.settings.evaluation.protocol)
    ranking = METHODS[arm.method](shop, task.head(count), arm).ranking
    names = shop.prepared.touches.nodes
    return [
        (name, [(names[i], float(s)) for i, s in zip(ids, scores, strict=True) if i >= 0])
        for name, ids, scores in zip(
            task.queries.query_ids, ranking.ids, ranking.scores, strict=False
        )
    ]


@pytest.mark.parametrize("future", ["taken away", "shuffled", "invented"])
def test_no_arm_answers_otherwise_because_of_what_is_written_later(folders, whole, future):
    documents = written(7)
    before, after = documents[:16], documents[16:]  # four sessions; the last question follows them
    if future == "taken away":
        after = []
    elif future == "shuffled":
        texts = [d["text"] for d in after][::-1]
        after = [d | {"text": text} for d, text in zip(after, texts, strict=True)]
    else:
        late = {"session": "!new", "text": "apple plum pear " * 5, "time": MIDNIGHT + 10 * 3600}
        after = [*after, *({"_id": f"!{i}", **late} for i in range(5))]
    other = made(folders / future, [*before, *after])
    arms = [arm for arm in whole.arms if arm.method != "oracle"]
    differ = [a.name for a in arms if answers(whole, a, 4) != answers(other, a, 4)]
    assert differ == []
    assert {arm.method for arm in arms} == set(METHODS) - {"oracle"}


def test_every_document_in_an_answer_was_written_strictly_before_the_question(whole):
    born = {d["_id"]: d["time"] for d in written(7)}
    asked = {f"q{s}": MIDNIGHT + 3600 * s - 1800 for s in range(1, 5)}
    seen = set()
    for arm in whole.arms:
        if arm.method != "oracle":  # it needs a truth, which no corpus has
            for question, found in answers(whole, arm, 4):
                assert all(born[name] < asked[question] for name, _ in found), arm.name
                seen |= {name for name, _ in found}
    assert len(seen) == 16


def test_a_question_at_the_very_moment_of_writing_does_not_see_it(tmp_path):
    documents = [
        {"_id": "d1", "text": "apple", "time": 5},
        {"_id": "d2", "text": "apple", "time": 9},
    ]
    questions = [{"_id": "q1", "text": "apple", "time": 9}, {"_id": "q2", "text": "apple"}]
    corpus(tmp_path, documents, questions, "q1\td1\t1\nq2\td2\t1\n")
    shop = workshop(*CONFIG, f"dataset.path={tmp_path}")
    bm25 = next(arm for arm in shop.arms if arm.name == "bm25")
    assert [[n for n, _ in found] for _, found in answers(shop, bm25, 2)] == [["d1"], ["d2", "d1"]]
