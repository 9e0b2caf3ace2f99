import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.extract import (
    ENTITY_EXTRACTORS,
    TAGGERS,
    annotated,
    cues_of,
    register_entity_provider,
    register_tag_provider,
)
from tests.recall.cognitive.extract.made import memories, rows

KNOWN = memories(
    ("a", "b"), tags=[[0, 1], [2]], mentions=[[0], [1]],
    tag_names=["connection pool", "timeouts", "pool"],
    entities=[("Ann Lee", "PERSON"), ("2023-05-07", "DATE_TIME"), ("Oslo", "LOCATION")],
)  # fmt: skip


def cued(texts, **settings):
    cues = cues_of(texts, KNOWN, **settings)
    return rows(cues.tags, KNOWN.tag_names), rows(cues.entities, KNOWN.entity_names)


def test_given_cues_are_looked_up_whatever_their_case_and_unknown_ones_dropped():
    assert cued(
        ["x", "y"], given_entities=[["ann  LEE", "Bob"], []], given_tags=[[], ["Pool", "Pool"]]
    ) == ([[], ["pool"]], [["Ann Lee"], []])


def test_nothing_that_is_given_is_nothing():
    assert cued(["Ann Lee pools"]) == ([[]], [[]])


def test_known_names_are_found_by_their_words():
    texts = ["How does Ann Lee pool connections?", "the connection pools' timeout"]
    tags, entities = cued(texts, entities="words", tags="words")
    assert tags == [["pool"], ["connection pool", "pool", "timeouts"]]
    assert entities == [["Ann Lee"], []]


def test_rules_read_dates_that_words_do_not_find():
    text = "what did we do on May 7th, 2023 in Oslo?"
    assert cued([text], entities="rules")[1] == [["2023-05-07", "Oslo"]]
    assert cued([text], entities="words")[1] == [["Oslo"]]


def test_a_query_is_read_by_itself():
    known = annotated(memories(("we love Visit Oslo",)), entities="rules")
    texts = ["we saw Bergen", "Bergen?"]
    for some in (texts, texts[1:], texts[::-1]):
        assert len(cues_of(some, known, entities="rules").entities.ids) == 0


def test_what_was_given_comes_before_what_was_found():
    found = cued(
        ["in Oslo"], entities="given+rules", given_entities=[["ann lee"]], tags="given+keyphrases",
        given_tags=[["timeouts"]],
    )  # fmt: skip
    assert found == ([["timeouts"]], [["Ann Lee", "Oslo"]])


def test_what_is_given_is_taken_only_where_it_is_asked_for():
    assert cued(["in Oslo"], entities="words", given_entities=[["ann lee"]])[1] == [["Oslo"]]


def test_providers_are_asked_about_queries_too(monkeypatch):
    for registry in (ENTITY_EXTRACTORS, TAGGERS):
        monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    register_entity_provider("mine", lambda texts: [[("Ann Lee", "PERSON")] for _ in texts])
    register_tag_provider("mine", lambda texts: [["pool", "unknown"] for _ in texts])
    assert cued(["she"], entities="mine", tags="mine") == ([["pool"]], [["Ann Lee"]])


def test_no_queries_and_no_names_are_no_trouble():
    assert cued([], entities="rules", tags="tfidf") == ([], [])
    empty = cues_of(["x"], memories(()), entities="rules", tags="keyphrases")
    assert (len(empty.tags.ids), len(empty.entities.ids)) == (0, 0)


def test_bad_settings_are_refused():
    with pytest.raises(ConfigError, match="unknown extractor of entities 'ruels'"):
        cued(["x"], entities="ruels")
    with pytest.raises(ConfigError, match="unknown tagger 'yake'"):
        cued(["x"], tags="yake")
    with pytest.raises(ValueError, match="1 given lists for 2 queries"):
        cued(["x", "y"], given_tags=[[]])
