from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall.cognitive.extract import annotated
from hebb_lab.records import Relations
from tests.recall.cognitive.extract.made import memories, rows

TEXTS = ("we met Ann in Oslo", "then Oslo again", "Ann wrote about pools", "nothing")


def test_given_annotations_stay_as_they_are():
    given = memories(TEXTS, tags=[[0], [], [0], []], tag_names=["x"])
    assert annotated(given) is given


def test_rules_fill_the_mentions():
    made = annotated(memories(TEXTS), entities="rules")
    assert rows(made.mentions, made.entity_names) == [["Ann", "Oslo"], ["Oslo"], ["Ann"], []]
    assert made.entity_types == ("TOPIC", "TOPIC")


def test_given_and_rules_join_and_names_are_one_whatever_their_case():
    given = memories(
        TEXTS, mentions=[[0], [1], [], []], entities=[("ANN", "PERSON"), ("trip", "event")]
    )
    made = annotated(given, entities="given+rules")
    assert made.entity_names == ("ANN", "Oslo", "trip")
    assert made.entity_types == ("PERSON", "TOPIC", "EVENT")
    assert rows(made.mentions, made.entity_names)[0] == ["ANN", "ANN", "Oslo"]


def test_where_relations_are_stated_their_entities_keep_their_ids():
    said = Relations(*(np.array([i], np.int32) for i in (1, 0, 0, 2)))
    given = memories(
        TEXTS, mentions=[[1], [], [], []], entities=[("Lima", "LOCATION"), ("oslo", "LOCATION")]
    )
    made = annotated(replace(given, relations=said, relation_kinds=("NEAR",)), entities="rules")
    assert made.entity_names == ("Lima", "oslo", "Ann")
    assert rows(made.mentions, made.entity_names)[1] == ["oslo"]


@pytest.mark.parametrize("tagger", ["keyphrases", "tfidf"])
def test_taggers_fill_the_tags(tagger):
    made = annotated(memories(TEXTS), tags=tagger)
    found = rows(made.tags, made.tag_names)
    assert any("pools" in tag for tag in found[2])
    assert len(set(made.tag_names)) == len(made.tag_names)


def test_given_tags_and_found_ones_join_without_repeating():
    given = memories(TEXTS, tags=[[], [], [0], []], tag_names=["pools"])
    made = annotated(given, tags="given+tfidf")
    assert rows(made.tags, made.tag_names)[2][0] == "pools"
    assert rows(made.tags, made.tag_names)[2].count("pools") == 1


def test_a_scope_is_read_by_itself_and_in_the_order_of_writing():
    texts = ("we love Boston", "Boston is cold", "Boston is cold", "we love Boston")
    made = annotated(memories(texts, scope=[0, 1, 0, 1]), entities="rules")
    assert rows(made.mentions, made.entity_names) == [["Boston"], [], ["Boston"], ["Boston"]]


@pytest.mark.parametrize("settings", [{"entities": "rules"}, {"tags": "tfidf"},
                                      {"tags": "keyphrases"}])  # fmt: skip
def test_what_a_memory_has_does_not_depend_on_later_ones(settings):
    whole = annotated(memories(TEXTS * 3), **settings)
    for n in (1, 5, 11):
        part = annotated(memories((TEXTS * 3)[:n]), **settings)
        assert (
            rows(part.mentions, part.entity_names) == rows(whole.mentions, whole.entity_names)[:n]
        )
        assert rows(part.tags, part.tag_names) == rows(whole.tags, whole.tag_names)[:n]


@pytest.mark.parametrize("settings", [{"entities": "given"}, {"entities": "rules"},
                                      {"tags": "tfidf"}, {"tags": "keyphrases"}])  # fmt: skip
def test_no_memories_are_no_trouble(settings):
    assert len(annotated(memories(()), **settings)) == 0


def test_an_unknown_name_is_refused():
    with pytest.raises(ConfigError, match=r"unknown extractor of entities 'rule'\. Did you mean"):
        annotated(memories(TEXTS), entities="given+rule")
    with pytest.raises(ConfigError, match="unknown tagger"):
        annotated(memories(TEXTS), tags="")
    with pytest.raises(ConfigError, match="twice"):
        annotated(memories(TEXTS), tags="tfidf+tfidf")
