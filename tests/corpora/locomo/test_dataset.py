"""LoCoMo made by hand, read whole."""

import json

import numpy as np
import pytest

from hebb_lab.corpora.locomo import LocomoOptions, read_locomo
from hebb_lab.errors import InputError
from tests.corpora.hostile import spoiled
from tests.corpora.locomo.made import CONVERSATIONS, CORRECTIONS, ENTITIES, conversations, locomo


def test_turns_are_memories_in_the_order_of_time_and_scopes_are_conversations(tmp_path):
    made = read_locomo(locomo(tmp_path), name="mine")
    memories = made.memories
    assert made.name == "mine"
    assert memories.names == ("conv-2/D1:1", "conv-1/D2:1", "conv-1/D1:1", "conv-1/D1:2")
    assert memories.texts[2:] == (
        "1:56 pm on 8 May, 2023 Ann: I planted a quince.",
        "1:56 pm on 8 May, 2023 Bob: Look! [a photo of a plum]",
    )  # fmt: skip
    assert memories.scopes == ("conv-2", "conv-1")
    assert [memories.sessions[s] for s in memories.session] == [
        "conv-2/session_1", "conv-1/session_2", "conv-1/session_1", "conv-1/session_1",
    ]  # fmt: skip
    assert memories.time_us[3] - memories.time_us[2] == 1_000_000
    assert set(made.log.events["time_quality"]) == {"inferred"}
    assert made.texts == dict(zip(memories.names, memories.texts, strict=True))


def test_a_session_may_be_one_memory(tmp_path):
    made = read_locomo(locomo(tmp_path), LocomoOptions(unit="session", dates=False))
    assert made.memories.names == ("conv-2/session_1", "conv-1/session_2", "conv-1/session_1")
    assert made.memories.texts[2] == "Ann: I planted a quince.\nBob: Look! [a photo of a plum]"
    assert made.questions.gold[1][0] == ("conv-1/session_1", "conv-1/session_2")


def test_pooled_conversations_are_one_scope(tmp_path):
    made = read_locomo(locomo(tmp_path), LocomoOptions(index="pooled"))
    assert made.memories.scopes == ("all",)
    assert {cues.scope for cues in made.questions.cues} == {""}
    assert made.questions.group == ("conv-1", "conv-1", "conv-2")


@pytest.mark.parametrize("unit", ["turn", "session"])
def test_nothing_that_gives_an_answer_away_is_in_a_dataset(tmp_path, unit):
    made = read_locomo(locomo(tmp_path), LocomoOptions(unit=unit, categories=(1, 2, 3, 4, 5)))
    assert "SECRET" in (tmp_path / "locomo10.json").read_text()
    assert "SECRET" not in json.dumps([made.texts, made.memories.texts, vars(made.questions)])
    assert "SECRET" not in made.log.events.write_json()


def test_entities_are_mentions_of_turns_and_cues_of_questions(tmp_path):
    made = read_locomo(locomo(tmp_path))
    memories = made.memories
    said = [[memories.entity_names[e] for e in memories.mentions.row(i)] for i in range(4)]
    assert said == [["Oslo"], ["Ann", "Bob"], ["Ann"], []]
    assert memories.entity_types == ("LOCATION", "PERSON", "PERSON")
    assert [cues.entities for cues in made.questions.cues] == [(), (), ("Cy",)]


def test_the_type_of_an_entity_is_that_of_the_turn_that_was_said_first(tmp_path):
    oslo = {"Ann: I planted a quince.": "ORG", "What did Ann plant?": "EVENT"}
    given = ENTITIES | {text: [{"text": "oslo", "type": kind}] for text, kind in oslo.items()}
    memories = read_locomo(locomo(tmp_path, entities=given)).memories
    assert memories.scopes[0] == "conv-2"  # the second in the file
    assert dict(zip(memories.entity_names, memories.entity_types, strict=True))["Oslo"] == (
        "LOCATION"
    )


def test_corrections_stand_beside_the_official_gold(tmp_path):
    made = read_locomo(locomo(tmp_path))
    assert [names for names, _ in made.questions.gold] == [
        ("conv-1/D1:1",), ("conv-1/D1:2", "conv-1/D2:1"), ("conv-2/D1:1",),
    ]  # fmt: skip
    assert [names for names, _ in made.questions.corrected] == [
        ("conv-1/D1:1",), ("conv-1/D1:2",), (),
    ]  # fmt: skip


def test_without_corrections_and_entities_there_are_none(tmp_path):
    made = read_locomo(locomo(tmp_path, corrections=None, entities=None))
    assert made.questions.corrected is None
    assert made.memories.entity_names == ()
    assert not made.log.report.mended.keys() & {"text without an entry among the given entities"}


def test_conversations_that_cannot_be_used_are_counted(tmp_path):
    given = [*conversations(), conversations()[0], {"qa": []}, 5]
    made = read_locomo(locomo(tmp_path, given))
    assert len(made.memories) == 4
    assert dict(made.log.report.skipped) == {
        "conversation of a name that was there: left out": 1, "conversation without a name": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "why"),
    [({"qa": []}, "no question in it"), ({"conversation": None}, "no turn in it")],
)
def test_a_file_without_turns_or_questions_is_an_error(tmp_path, change, why):
    given = [conversation | change for conversation in conversations()]
    with pytest.raises(InputError, match=rf"locomo10\.json: {why}"):
        read_locomo(locomo(tmp_path, given))


def test_progress_counts_the_bytes_of_all_files(tmp_path):
    told = []
    read_locomo(locomo(tmp_path), progress=lambda *what: told.append(what))
    total = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert told[-1][1:] == (total, total)


def test_a_session_without_a_time_comes_when_those_with_one_are_done(tmp_path):
    given = conversations()
    given[1]["conversation"]["session_1_date_time"] = "some day"
    made = read_locomo(locomo(tmp_path, given))
    assert made.log.report.mended["session whose time cannot be read: kept without one"] == 1
    assert made.texts["conv-2/D1:1"] == "Cy: I moved to Oslo."
    assert (np.diff(made.memories.time_us) > 0).all()


@pytest.mark.parametrize("seed", range(150))
def test_whatever_stands_in_the_files_is_read_counted_or_refused(tmp_path, seed):
    rng = np.random.default_rng(seed)
    files = [CONVERSATIONS, CORRECTIONS, ENTITIES]
    given = spoiled(files, rng, times=int(rng.integers(1, 12)))
    try:
        made = read_locomo(locomo(tmp_path, *(given + [None] * 3)[:3]))
    except InputError:
        return
    assert len(made.memories) == made.log.events.height > 0
    assert len(made.questions.gold) == len(made.questions) > 0
    known = set(made.memories.names)
    assert all(set(names) <= known for names, _ in made.questions.gold)
    made.log.report.sentences()
