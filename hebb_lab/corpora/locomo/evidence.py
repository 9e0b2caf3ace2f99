"""Evidence: which turns answer a question, and what others found wrong with that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mend

_TURN = re.compile(r"D:?(\d{1,9}):(\d{1,9})", re.ASCII)
_QUESTION = re.compile(r"locomo_(\d{1,9})_qa(\d{1,9})", re.ASCII)
Corrections = dict[tuple[int, int], tuple[str, list[Any]]]
"""(conversation, question), both from 0 → (the question's words, its evidence)."""


def turns_in(text: str) -> tuple[str, ...]:
    """The turns that a piece of evidence names, as turns are named.

    >>> turns_in("D8:6; D9:17"), turns_in("D:11:26"), turns_in("D30:05"), turns_in("D")
    (('D8:6', 'D9:17'), ('D11:26',), ('D30:5',), ())
    """
    return tuple(f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(text))


def gold_of(evidence: Any, unit_of: Mapping[str, str], mend: Mend) -> tuple[str, ...]:
    """The memories that hold the evidence, each once.

    A piece that names its turns otherwise than they are named is mended; a piece that names none,
    and a turn that does not exist, are left out. All are counted.

    Args:
        evidence: pieces as they stand in the file.
        unit_of: turn → the memory that holds it.
        mend: counts.
    """
    gold: dict[str, None] = {}
    for piece in evidence if isinstance(evidence, list) else []:
        turns = turns_in(piece) if isinstance(piece, str) else ()
        if not turns:
            mend("evidence that names no turn: left out")
        elif turns != (piece.strip(),):
            mend("evidence that is written otherwise than turns are named: mended")
        for turn in turns:
            if turn in unit_of:
                gold[unit_of[turn]] = None
            else:
                mend("evidence of a turn that does not exist: left out")
    return tuple(gold)


def corrections_of(entries: Sequence[Any], skip: Mend) -> Corrections:
    """The corrected evidence by question; of two for one question the first is kept."""
    found: Corrections = {}
    for entry in entries:
        given = entry if isinstance(entry, Mapping) else {}
        match = _QUESTION.fullmatch(str(given.get("question_id", "")))
        evidence, words = given.get("correct_evidence"), given.get("question")
        if match is None or not isinstance(evidence, list) or not isinstance(words, str):
            skip("correction without a question or evidence")
            continue
        key = int(match[1]), int(match[2])
        if key in found:
            skip("second correction of one question: the first is kept")
        else:
            found[key] = (words.strip(), evidence)
    return found
