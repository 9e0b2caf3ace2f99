"""The page's story, told by the layers: each finds what the page says that it finds."""

import pytest

from hebb_lab.corpora.built_in.scenario import DIRECT, FOUND_BY, GATE, QUESTION, scenario
from hebb_lab.graph.cognitive.rules import CognitiveRules
from hebb_lab.recall.words import words_of
from tests.corpora.built_in.found import found

STORY = scenario()
ANSWER = set(STORY.questions.gold[0][0])


def words(name):
    return set(words_of(STORY.texts[name]))


def test_the_question_and_its_six_memories_are_there():
    assert STORY.questions.texts == (QUESTION,) == ("why is the app slow?",)
    assert {DIRECT, *(name for names in FOUND_BY.values() for name in names)} == ANSWER
    assert len(ANSWER) == 6
    assert len(STORY.memories) == 15
    assert scenario().sha256() == STORY.sha256()


def test_words_lead_to_the_latency_alone():
    shared = {name for name in STORY.texts if words(name) & {"app", "slow"}}
    assert shared == {DIRECT}


@pytest.mark.parametrize("layer", FOUND_BY)
def test_each_layer_finds_what_the_page_says_it_finds(layer):
    rules = CognitiveRules(gate_threshold=GATE)
    (names,) = found(STORY, layer, [[DIRECT]], [0], rules)
    assert names & (ANSWER - {DIRECT}) == set(FOUND_BY[layer])


def test_the_pages_own_gate_closes_the_fourth_layer_and_no_other():
    open_at = {layer for layer in FOUND_BY if found(STORY, layer, [[DIRECT]], [0])[0] - {DIRECT}}
    assert open_at == set(FOUND_BY) - {"cross_capture"}


def test_the_thresholds_of_alerts_share_no_entity_word_or_session_with_the_latency():
    memories = STORY.memories
    seed, alert = (memories.names.index(name) for name in (DIRECT, "prometheus-alerts"))
    assert memories.session[seed] != memories.session[alert]
    assert not words(DIRECT) & words("prometheus-alerts")
    assert len(memories.mentions.row(alert)) == 0
    assert not set(memories.tags.row(seed).tolist()) & set(memories.tags.row(alert).tolist())


def test_the_migration_is_one_event_of_three_entities():
    memories = STORY.memories
    row = memories.mentions.row(memories.names.index("database-migration"))
    assert [memories.entity_names[e] for e in row] == ["Alice", "Project Alpha", "DatabaseService"]
    assert STORY.questions.cues[0].entities == ("DatabaseService",)
