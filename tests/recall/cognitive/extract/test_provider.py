import logging

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.extract import (
    ENTITY_EXTRACTORS,
    TAGGERS,
    register_entity_provider,
    register_tag_provider,
)


@pytest.fixture
def register(monkeypatch):
    """Registers for one test alone."""
    monkeypatch.setattr(ENTITY_EXTRACTORS, "_entries", dict(ENTITY_EXTRACTORS._entries))
    monkeypatch.setattr(TAGGERS, "_entries", dict(TAGGERS._entries))


def ask(extractor, *texts):
    return extractor(texts, [[] for _ in texts])


def test_a_provider_is_an_extractor_of_its_name(register):
    register_entity_provider("mine", lambda texts: [[(text.upper(), "thing")] for text in texts])
    assert ask(ENTITY_EXTRACTORS["mine"], "a", "b") == [[("A", "THING")], [("B", "THING")]]
    with pytest.raises(ConfigError, match="registered twice"):
        register_entity_provider("mine", lambda texts: [])


def test_a_provider_is_asked_in_batches_and_once_for_a_text(register):
    asked = []

    def provider(texts):
        asked.append(list(texts))
        return [[text] for text in texts]

    tagger = register_tag_provider("mine", provider, batch=2)
    assert ask(tagger, "A", "b", "A", "c") == [["a"], ["b"], ["a"], ["c"]]
    ask(tagger, "c", "d")
    assert asked == [["A", "b"], ["c"], ["d"]]


def test_what_fails_is_said_and_what_is_good_is_kept(register, caplog):
    def provider(texts):
        if "bad" in texts:
            raise OSError("no network")
        return [[(text, "X")] for text in texts]

    extractor = register_entity_provider("mine", provider)
    with caplog.at_level(logging.WARNING):
        assert ask(extractor, "good", "bad", "fine") == [[("good", "X")], [], [("fine", "X")]]
    assert extractor.failures == [("bad", "OSError: no network")]
    assert "a provider failed 1 times; first: OSError: no network" in caplog.text


def test_a_text_that_failed_is_asked_for_again(register):
    answers = iter([ValueError("busy"), [["tag"]]])

    def provider(texts):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    tagger = register_tag_provider("mine", provider)
    assert ask(tagger, "t") == [[]]
    assert ask(tagger, "t") == [["tag"]]


@pytest.mark.parametrize(
    ("answer", "kept", "failures"),
    [
        ([("Ann", "person"), ("", "X"), "Bob", ("Eve",), (1, "X"), ("Zoe", "")],
         [("Ann", "PERSON"), ("Zoe", "OTHER")], 4),
        ("Ann", [], 1), (None, [], 1),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused_in_part(register, answer, kept, failures):
    extractor = register_entity_provider("mine", lambda texts: [answer for _ in texts])
    assert ask(extractor, "t") == [kept]
    assert len(extractor.failures) == failures


def test_a_wrong_number_of_answers_is_a_failure(register):
    tagger = register_tag_provider("mine", lambda texts: [["a"]] * 3)
    assert ask(tagger, "t", "u") == [[], []]
    assert [failure.problem for failure in tagger.failures] == [
        "ValueError: 3 answers for 1 texts"
    ] * 2


def test_tags_that_are_none_are_refused(register):
    tagger = register_tag_provider("mine", lambda texts: [["  Big  Tag ", 3, " "]])
    assert ask(tagger, "t") == [["big tag"]]
    assert len(tagger.failures) == 2
