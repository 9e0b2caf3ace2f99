"""A small LoCoMo made by hand: two conversations, three sessions, known answers."""

import json
from copy import deepcopy


def turn(name, speaker, text, **more):
    return {"dia_id": name, "speaker": speaker, "text": text, **more}


def question(text, category, *evidence, **more):
    return {"question": text, "category": category, "evidence": list(evidence), **more}


CONVERSATIONS = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann", "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ann", "I planted a quince."),
                turn("D1:2", "Bob", "Look!", blip_caption="a photo of a plum", query="SECRET",
                     img_url=["SECRET"]),
            ],
            "session_2_date_time": "9:05 am on 7 May, 2023",
            "session_2": [turn("D2:1", "Ann", "Bob's plum\nis ripe.")],
        },
        "qa": [
            question("What did Ann plant?", 4, "D1:1", answer="SECRET"),
            question("What does Bob have?", 1, "D1:2; D2:1"),
            question("What did Bob plant?", 5, "D1:1", adversarial_answer="SECRET"),
        ],
        "event_summary": {"SECRET": 1}, "observation": {"SECRET": 1},
        "session_summary": {"SECRET": "SECRET"},
    },
    {
        "sample_id": "conv-2",
        "conversation": {
            "session_1_date_time": "12:00 am on 31 December, 2022",
            "session_1": [turn("D1:1", "Cy", "I moved to Oslo.")],
        },
        "qa": [question("Where does Cy live?", 2, "D1:1")],
    },
]  # fmt: skip
CORRECTIONS = [
    {"question_id": "locomo_0_qa1", "question": "What does Bob have?",
     "correct_evidence": ["D1:2"]},
    {"question_id": "locomo_1_qa0", "question": "Where does Cy live?", "correct_evidence": []},
]  # fmt: skip
ENTITIES = {
    "Ann: I planted a quince.": [{"text": "Ann", "type": "PER"}],
    "Ann: Bob's plum is ripe.": [{"text": "Ann", "type": "PER"}, {"text": "Bob", "type": "PER"}],
    "Cy: I moved to Oslo.": [{"text": "Oslo", "type": "LOC"}, {"text": "", "type": "ORG"}],
    "Bob: Look!": [],
    "Where does Cy live?": [{"text": "Cy", "type": "PER"}, {"text": "Cy", "type": "PER"}],
    "What did Ann plant?": [], "What does Bob have?": [], "What did Bob plant?": [],
}  # fmt: skip


def conversations():
    """A copy to change."""
    return deepcopy(CONVERSATIONS)


def locomo(folder, given=CONVERSATIONS, corrections=CORRECTIONS, entities=ENTITIES):
    """Write its files; None leaves one out."""
    files = {
        "locomo10.json": given, "audit_errors.json": corrections,
        "entities_gliner_filtered.json": entities,
    }  # fmt: skip
    for name, content in files.items():
        if content is not None:
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / name).write_bytes(text.encode(errors="replace"))
    return folder
