from dataclasses import replace

import numpy as np
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
from hebb_lab.records import Relations
from tests.recall.cognitive.extract.made import memories, rows

KNOWN = memories(
    ("a", "b"), tags=[[0, 1], [2]], mentions=[[0], [1, 2]],
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
    with pytest.raises(ValueError, match="1 numbers of known memories for 2 queries"):
        cued(["x", "y"], known=np.array([1]))


POOLS = [("connection pool", "TOPIC"), ("connection pool manager", "TOPIC"), ("manager", "TOPIC")]
ASKED = "who wrote the connection pool manager?"


def named(known, **settings):
    """The entities and tags of a text, in a world where a longer name comes later."""
    world = memories(
        ("a", "b", "c"), mentions=[[0, 2], [], [1]], entities=POOLS,
        tags=[[0, 2], [], [1]], tag_names=[name for name, _ in POOLS],
    )  # fmt: skip
    settings = {"entities": "words", "tags": "words"} | settings
    cues = cues_of([ASKED] * len(known), world, known=np.array(known), **settings)
    return rows(cues.entities, world.entity_names), rows(cues.tags, world.tag_names)


def test_a_longer_name_that_is_not_known_yet_hides_no_known_one():
    entities, tags = named([0, 1, 2, 3])
    short = ["connection pool", "manager"]
    assert entities == [[], short, short, ["connection pool manager"]]
    assert [set(row) for row in tags] == [
        set(), set(short), set(short), {*short, "connection pool manager"},
    ]  # fmt: skip


def test_a_name_of_another_scope_hides_no_known_one():
    world = memories(
        ("a", "b"), scope=[0, 1], mentions=[[1], [0]], entities=POOLS[:2], tags=[[1], [0]],
        tag_names=[name for name, _ in POOLS[:2]],
    )  # fmt: skip
    held, _ = world.within(1)
    cues = cues_of([ASKED], held, entities="words", tags="words")
    assert (cues.entities.ids.tolist(), cues.tags.ids.tolist()) == ([0], [0])


def test_what_is_given_but_not_known_yet_is_dropped_too():
    given = [["connection pool manager", "manager"]] * 2
    found = named([2, 3], entities="given", tags="given", given_entities=given, given_tags=given)
    assert found == ([["manager"], given[0]],) * 2


def test_an_entity_of_a_relation_is_known_from_that_memory_on():
    world = memories(("a", "b", "c"), entities=POOLS)
    one, two = np.array([0], np.int32), np.array([2], np.int32)
    world = replace(
        world, relations=Relations(one, two, np.array([0], np.int32), np.array([1], np.int32))
    )
    cues = cues_of([ASKED] * 2, world, entities="words", known=np.array([1, 2]))
    assert rows(cues.entities, world.entity_names) == [[], ["connection pool", "manager"]]


@pytest.mark.parametrize("setting", ["given+words", "given+rules"])
def test_whatever_is_written_later_changes_no_cue(setting):
    rng = np.random.default_rng(5)
    words = ["pool", "cache", "index", "shard", "queue"]
    names = [" ".join(rng.choice(words, rng.integers(1, 4), replace=False)) for _ in range(60)]
    names = list(dict.fromkeys(names))
    for _ in range(40):
        known, n = 4, 9
        lists = [rng.choice(len(names), 4, replace=False).tolist() for _ in range(2 * n)]
        texts = [" ".join(rng.choice(words, 8)) for _ in range(3)]
        given = [[names[i] for i in rng.choice(len(names), 2)] for _ in texts]
        answers = []
        for future in (lists[known:n], lists[n : 2 * n - known]):
            held = lists[:known] + future
            world = memories(
                [f"m {i}" for i in range(n)], mentions=held, tags=held, tag_names=names,
                entities=[(name, "TOPIC") for name in names],
            )  # fmt: skip
            cues = cues_of(
                texts, world, entities=setting, tags="given+words", given_entities=given,
                given_tags=given, known=np.full(3, known),
            )  # fmt: skip
            answers.append([part.tolist() for lists_of in cues for part in lists_of])
        assert answers[0] == answers[1]
        assert answers[0][1] or answers[0][3]
