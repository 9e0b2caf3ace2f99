"""Entities by rules: what spelling gives away, and spans of words in upper case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hebb_lab.recall.cognitive.extract.extractor import ENTITY_EXTRACTORS, Entity
from hebb_lab.recall.cognitive.extract.patterns import Found, find_patterns
from hebb_lab.recall.cognitive.extract.stop_words import FUNCTION_WORDS, OPENERS

_TOKEN = re.compile(r"[^\W_][\w&]*(?:[-'’][^\W_]+)*|\n|[^\s\w]|_+")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_ENDS = frozenset('.!?:;…\n"“”()[]{}*•|>')
_CONNECTORS = frozenset(("of", "the", "and", "de", "la", "van", "von", "der", "du", "&", "for"))
_TITLES = frozenset(("mr", "mrs", "ms", "dr", "prof", "professor", "sir", "madam"))
_ORGANISATIONS = frozenset((
    "inc", "corp", "corporation", "ltd", "llc", "gmbh", "university", "college", "institute",
    "foundation", "company", "bank", "hospital", "association", "committee",
))  # fmt: skip
_PLACES = frozenset((
    "street", "avenue", "river", "lake", "mountain", "mountains", "beach", "airport", "island",
    "islands", "county", "valley", "bay",
))  # fmt: skip
_SHOUTED = 0.6  # of its letters in upper case: then upper case says nothing


class _Word(NamedTuple):
    """A word of a text."""

    text: str  # without a possessive ending
    start: int
    end: int
    begins: bool  # a sentence, as far as one can see
    owns: bool  # something: it had a possessive ending
    follows: bool  # the word before it, with nothing but spaces between


@dataclass
class _Memory:
    """Spellings that were met so far."""

    names: set[str] = field(default_factory=set)  # in upper case inside a sentence
    words: set[str] = field(default_factory=set)  # in lower case


@dataclass(frozen=True)
class RuleExtractor:
    """Entities without any model, for languages that write names in upper case.

    Addresses, paths, identifiers, dates (as ISO 8601) and names in double quotes by their spelling;
    then spans of words in upper case, with connectors inside: "Lord of the Rings". The first word
    of a sentence counts where it, or a longer span that it begins, is told from an ordinary word:
    it stood in upper case inside a sentence of this text or an earlier one. Types are DATE_TIME,
    DOCUMENT, ARTIFACT, TECHNOLOGY, METRIC, and PERSON, ORGANIZATION, LOCATION where a title or a
    last word says so; TOPIC otherwise.

    Args:
        quantities: whether numbers with units are entities.

    >>> [tuple(e) for e in RuleExtractor()(["We met Ann Lee on 7 May 2023."], [[]])[0]]
    [('Ann Lee', 'TOPIC'), ('2023-05-07', 'DATE_TIME')]
    """

    quantities: bool = False

    def __call__(
        self, texts: Sequence[str], given: Sequence[Sequence[Entity]]
    ) -> list[list[Entity]]:
        """The mentions of each text, in their order."""
        memory = _Memory()
        return [self._entities(text, memory) for text in texts]

    def _entities(self, text: str, memory: _Memory) -> list[Entity]:
        found, rest = find_patterns(text, self.quantities)
        letters = [c for c in rest if c.isalpha()]
        if sum(map(str.isupper, letters)) <= _SHOUTED * len(letters) or len(letters) < 12:
            words = _words(rest)
            _learn(words, memory)
            found += _spans(words, memory)
        return [Entity(each.name, each.type) for each in sorted(found)]


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    begins, last = True, -1
    title = False
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if not piece[0].isalnum():
            # a full stop after a title or an initial ends no sentence
            if piece in _ENDS and not (piece == "." and title):
                begins = True
            continue
        plain = _POSSESSIVE.sub("", piece)
        between = text[last : match.start()] if last >= 0 else "x"
        follows = not between.strip(" \t.") and ("." not in between or title) and not begins
        words.append(_Word(plain, *match.span(), begins, plain != piece, follows))
        title = plain.lower() in _TITLES or (len(plain) == 1 and plain.isupper() and plain != "I")
        begins, last = False, match.end()
    return words


def _learn(words: list[_Word], memory: _Memory) -> None:
    for word in words:
        lower = word.text.lower()
        if word.text == lower:
            memory.words.add(lower)
        elif not word.begins and _may_name(word):
            memory.names.add(lower)


def _may_name(word: _Word) -> bool:
    lower = word.text.lower().replace("’", "'")
    stem = lower.split("'")[0]
    return (
        word.text[0].isupper() and len(word.text) > 1 and lower not in FUNCTION_WORDS
        and stem not in FUNCTION_WORDS and lower not in OPENERS
    )  # fmt: skip


def _spans(words: list[_Word], memory: _Memory) -> list[Found]:
    found = []
    i = 0
    while i < len(words):
        if not _may_name(words[i]) and not _is_initial(words, i):
            i += 1
            continue
        end = _span_end(words, i)
        span = words[i:end]
        if _is_ordinary(span, memory):
            span = span[1:]
            while span and not _may_name(span[0]):
                span = span[1:]
        if span and not (len(span) == 1 and len(span[0].text) == 1):
            found.append(_named(span))
        i = end
    return found


def _is_initial(words: list[_Word], i: int) -> bool:
    """Whether a single letter begins a name: J. R. Smith."""
    return (
        len(words[i].text) == 1 and words[i].text.isupper() and words[i].text not in "AI"
        and i + 1 < len(words) and words[i + 1].follows and words[i + 1].text[0].isupper()
    )  # fmt: skip


def _span_end(words: list[_Word], start: int) -> int:
    """One past the last word of a span."""
    end = start + 1
    while end < len(words) and words[end].follows and not words[end - 1].owns:
        if _may_name(words[end]) or _is_initial(words, end) or words[end].text.isdigit():
            end += 1
            continue
        ahead = end
        while (
            ahead < min(len(words), end + 2) and words[ahead].follows
            and words[ahead].text in _CONNECTORS
        ):  # fmt: skip
            ahead += 1
        joined = ahead > end and ahead < len(words) and words[ahead].follows
        # "Ann and Bob" are two; "Lord of the Rings" is one
        if not joined or not _may_name(words[ahead]) or words[end].text in ("and", "the", "for"):
            break
        end = ahead + 1
    return end


def _is_ordinary(span: list[_Word], memory: _Memory) -> bool:
    """Whether the first word of a span is in upper case only because a sentence begins there."""
    first = span[0].text.lower()
    if not span[0].begins or first in memory.names or first in _TITLES:
        return False
    if len(span) > 1 or span[0].owns:
        return first in memory.words
    return not (len(first) > 1 and span[0].text.isupper())


def _named(span: list[_Word]) -> Found:
    first, last = span[0].text.lower(), span[-1].text.lower()
    kind = "TOPIC"
    if first in _TITLES and len(span) > 1:
        kind, span = "PERSON", span[1:]
    elif len(span) > 1 and last in _ORGANISATIONS:
        kind = "ORGANIZATION"
    elif len(span) > 1 and last in _PLACES:
        kind = "LOCATION"
    return Found(span[0].start, span[-1].end, " ".join(word.text for word in span), kind)


ENTITY_EXTRACTORS.register("rules")(RuleExtractor())
