"""The questions of the conversations, with official and corrected gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from hebb_lab.corpora.fields import clean
from hebb_lab.corpora.locomo.evidence import gold_of
from hebb_lab.corpora.locomo.options import CATEGORIES
from hebb_lab.records import QuestionCues, Questions

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mend
    from hebb_lab.corpora.locomo.entities import GivenEntities
    from hebb_lab.corpora.locomo.evidence import Corrections
    from hebb_lab.corpora.locomo.options import LocomoOptions
    from hebb_lab.corpora.report import CorpusReport


@dataclass
class QuestionList:
    """Questions on their way to becoming ``Questions``.

    Args:
        options: which count.
        report: counts what is lost.
        entities: of questions, where they are given.
        corrections: None where there are none.
    """

    options: LocomoOptions
    report: CorpusReport
    entities: GivenEntities | None
    corrections: Corrections | None
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    gold: list[tuple[str, ...]] = field(default_factory=list)
    corrected: list[tuple[str, ...]] = field(default_factory=list)
    category: list[str] = field(default_factory=list)
    cues: list[QuestionCues] = field(default_factory=list)

    def add(
        self, number: int, name: str, questions: Any, unit_of: Mapping[str, str], file: str
    ) -> None:
        """Those of one conversation.

        Args:
            number: its place in the file, by which corrections name it.
            name: of the conversation.
            questions: as they stand in the file.
            unit_of: turn → the memory that holds it.
            file: names the place of a loss, with the question's number from 0.
        """
        for at, given in enumerate(questions if isinstance(questions, list) else []):
            skip = partial(self.report.skip, file=f"{file}/qa", line=at)
            mend = partial(self.report.mend, file=f"{file}/qa", line=at)
            words = given.get("question") if isinstance(given, Mapping) else None
            if not isinstance(words, str) or not clean(words):
                skip("question without words")
                continue
            category = given.get("category")
            if type(category) is not int or category not in CATEGORIES:
                skip("question of an unknown category")
                continue
            if category not in self.options.categories:
                self.report.ignored[f"questions of category {CATEGORIES[category]}"] += 1
                continue
            gold = gold_of(given.get("evidence"), unit_of, mend)
            if not gold:
                mend("question without evidence that can be used: no gold")
            own = None if self.corrections is None else self.corrections.pop((number, at), None)
            self.ids.append(f"{name}/qa{at}")
            self.texts.append(clean(words))
            self.group.append(name)
            self.gold.append(gold)
            self.corrected.append(_corrected(own, words, gold, unit_of, mend))
            self.category.append(CATEGORIES[category])
            self.cues.append(
                QuestionCues(
                    scope=name if self.options.index == "conversation" else "",
                    entities=() if self.entities is None else self.entities.names(words, mend),
                )
            )

    def finish(self) -> Questions:
        """All questions, asked after everything was said."""
        self.report.questions = len(self.ids)
        self.report.judgements = sum(map(len, self.gold))
        return Questions(
            ids=tuple(self.ids),
            texts=tuple(self.texts),
            time_us=(None,) * len(self.ids),
            group=tuple(self.group),
            gold=tuple((names, (1,) * len(names)) for names in self.gold),
            category=tuple(self.category),
            cues=tuple(self.cues),
            corrected=None
            if self.corrections is None
            else tuple((names, (1,) * len(names)) for names in self.corrected),
        )


def _corrected(
    own: tuple[str, list[Any]] | None, words: str, gold: tuple[str, ...],
    unit_of: Mapping[str, str], mend: Mend,
) -> tuple[str, ...]:  # fmt: skip
    """The gold of a question's own correction; the official gold where there is none."""
    if own is None:
        return gold
    if own[0] != words.strip():
        mend("correction of a question of other words: not used")
        return gold
    corrected = gold_of(own[1], unit_of, mend)
    if not corrected:
        mend("correction that finds no evidence: no corrected gold")
    return corrected
