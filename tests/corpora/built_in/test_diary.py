"""Diaries are made by numbers and a seed; each question is answered by the layer that it names."""

from collections import Counter

import numpy as np
import pytest

from hebb_lab.corpora.built_in import DiaryParameters, diary
from hebb_lab.corpora.built_in.plants import KINDS
from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.words import words_of
from tests.corpora.built_in.found import found

SMALL = DiaryParameters(memories=150, questions=40, projects=6, checkpoints=3)
MADE = diary(SMALL, np.random.default_rng(1))
PLACE = {name: at for at, name in enumerate(MADE.memories.names)}
FILL = set(
    words_of("what where did i write about the else belongs to came right after before is like")
)


def of_kind(kind):
    """(questions, the memory that their words lead to) of a kind."""
    questions = [q for q, found_kind in enumerate(MADE.questions.category) if found_kind == kind]
    seeds = []
    for q in questions:
        thing = [w for w in words_of(MADE.questions.texts[q]) if w not in FILL]
        seeds.append([n for n, text in MADE.texts.items() if set(thing) <= set(words_of(text))])
    return questions, seeds


def gold(questions):
    return [set(MADE.questions.gold[q][0]) for q in questions]


def test_a_diary_has_the_numbers_that_were_asked_for():
    assert len(MADE.memories) == 150
    assert Counter(MADE.questions.category) == dict.fromkeys(KINDS, 8)
    assert len(set(MADE.questions.group)) == 6
    assert MADE.memories.scopes == ("all",)


@pytest.mark.parametrize("questions", [1, 7, 23])
def test_kinds_are_alike_in_number(questions):
    made = diary(DiaryParameters(400, questions, 5, 1), np.random.default_rng(0))
    counts = Counter(made.questions.category)
    assert sum(counts.values()) == questions
    assert max(counts.values()) - min(counts[kind] for kind in KINDS) <= 1


def test_the_same_seed_gives_the_same_diary_and_another_another():
    again, other = (diary(SMALL, np.random.default_rng(seed)) for seed in (1, 2))
    assert again.sha256() == MADE.sha256() != other.sha256()


def test_all_that_an_answer_needs_is_written_before_the_question():
    for q, time_us in enumerate(MADE.questions.time_us):
        for name in MADE.questions.gold[q][0]:
            assert time_us is None or MADE.memories.time_us[PLACE[name]] < time_us
    times = {t for t in MADE.questions.time_us if t is not None}
    assert 1 <= len(times) <= 2
    assert list(MADE.questions.time_us) == sorted(
        MADE.questions.time_us, key=lambda t: np.inf if t is None else t
    )


@pytest.mark.parametrize("kind", ["words", "co_ingested", "sequence", "tags"])
def test_the_words_of_a_question_lead_to_one_note(kind):
    questions, seeds = of_kind(kind)
    assert [len(names) for names in seeds] == [1] * len(questions)
    same = [set(names) == own for names, own in zip(seeds, gold(questions), strict=True)]
    assert all(same) if kind == "words" else not any(same)


@pytest.mark.parametrize("kind", ["co_ingested", "sequence", "event", "tags"])
def test_the_gold_shares_no_word_with_its_question(kind):
    questions, _ = of_kind(kind)
    for q, names in zip(questions, gold(questions), strict=True):
        asked = set(words_of(MADE.questions.texts[q])) - {"the", "and"}
        assert not asked & {w for name in names for w in words_of(MADE.texts[name])}


@pytest.mark.parametrize(
    ("kind", "layer"),
    [
        ("co_ingested", "hebbian"), ("sequence", "chain"), ("event", "hyperedges"),
        ("event", "entities"), ("tags", "cross_capture"),
    ],
)  # fmt: skip
def test_each_kind_is_found_by_its_layer(kind, layer):
    questions, seeds = of_kind(kind)
    if kind == "event":
        seeds = [[] for _ in questions]
    rules = CognitiveRules(gate="none")
    names = found(MADE, layer, seeds, questions, rules)
    assert all(own <= each for own, each in zip(gold(questions), names, strict=True))


@pytest.mark.parametrize(
    ("kind", "layer"),
    [
        ("co_ingested", "chain"), ("co_ingested", "cross_capture"), ("tags", "hebbian"),
        ("tags", "chain"), ("sequence", "hebbian"),
    ],
)  # fmt: skip
def test_and_by_no_other(kind, layer):
    questions, seeds = of_kind(kind)
    names = found(MADE, layer, seeds, questions)
    assert not any(own & each for own, each in zip(gold(questions), names, strict=True))


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"memories": 100, "questions": 40}, r"Give 112 to 2,400 memories"),
        ({"memories": 2_450}, "memories for so many questions"),
        ({"questions": 0}, "0 questions"), ({"projects": 4}, "at least 5 projects"),
        ({"checkpoints": 0}, "one checkpoint"),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_are_refused_with_the_cure(numbers, said):
    with pytest.raises(ConfigError, match=said):
        DiaryParameters(**numbers)


def test_a_diary_without_room_for_its_sequences_says_so():
    said = []
    for seed in range(30):
        try:
            diary(DiaryParameters(14, 5, 5, 1), np.random.default_rng(seed))
        except ConfigError as error:
            said.append(str(error))
    assert all("kind sequence. Give more memories" in one for one in said)
