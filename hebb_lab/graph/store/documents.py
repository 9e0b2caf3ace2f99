"""Edges from documents to the code they speak of, by words alone. Observed only (v3.3.0).

Weights, the first that holds: all words of a node's label are in the text 0.40; two neighbouring
words of its id stand side by side there 0.25; one word does 0.20. Two documents: a tag that fewer
than 20 % of the documents have 0.20, else the title of one in the text of the other 0.25.
Words here are runs of letters and digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from hebb_lab.graph.store.edges import SHARED, edge_key

if TYPE_CHECKING:
    from hebb_lab.graph.store.table import EdgeTable

LABEL_MATCH = 0.40
ADJACENT_WORDS = 0.25
ONE_WORD = 0.20
RARE_TAG = 0.20
TITLE_REFERENCE = 0.25

_COMMON = (
    "api app args base build class cmd code config core count create data db def default "
    "delete err error file fn from func function get id import index info init item items key "
    "list log main make method model module msg name new node none object path py read remove "
    "result return run self server set setup string test tests text the this type update use "
    "util utils value write "
)
COMMON_WORDS = frozenset(_COMMON.split())
"""Words that say nothing about which code is meant."""


@dataclass(frozen=True)
class Document:
    """A text about the project: a decision, a report, a meeting."""

    id: str
    text: str
    title: str = ""
    tags: frozenset[str] = frozenset()

    def words(self) -> list[str]:
        """All words of text and title, in order, without common ones."""
        return words_of(f"{self.text} {self.title}")


def words_of(text: str, shortest: int = 3) -> list[str]:
    """Lower-case runs of letters and digits, without short and common ones.

    >>> words_of("Update the engine/audit_log.py file")
    ['engine', 'audit']
    """
    found = re.findall(r"[^\W_]+", text.lower())
    return [word for word in found if len(word) >= shortest and word not in COMMON_WORDS]


def document_edges(
    documents: Sequence[Document], labels: Mapping[str, str]
) -> dict[tuple[str, str], float]:
    """(a < b) → weight, of documents with code and with each other.

    Args:
        documents: what is read.
        labels: id of a code node → its label.
    """
    names = [*labels, *(document.id for document in documents)]
    everywhere = _words_everywhere(names)
    edges: dict[tuple[str, str], float] = {}
    for document in documents:
        text = [word for word in document.words() if word not in everywhere]
        for node, label in labels.items():
            weight = _match(text, node, label, everywhere)
            key = edge_key(document.id, node, SHARED)
            if weight and key:
                edges[key[:2]] = max(edges.get(key[:2], 0.0), weight)
    rare = _rare_tags(documents)
    for one, two in combinations(documents, 2):
        weight = _relation(one, two, rare)
        key = edge_key(one.id, two.id, SHARED)
        if weight and key:
            edges[key[:2]] = max(edges.get(key[:2], 0.0), weight)
    return edges


def seed_documents(
    store: EdgeTable, documents: Sequence[Document], labels: Mapping[str, str], now_us: int
) -> int:
    """Put the document edges into ``shared``: larger weight, larger count (1), active now.

    Returns how many edges are new: a second run adds none and counts nothing up.
    """
    fresh = 0
    for (a, b), weight in sorted(document_edges(documents, labels).items()):
        key = (a, b, SHARED)
        fresh += store.alive(key, now_us) is None
        store.absorb(key, weight, 1, now_us)
    return fresh


def _words_everywhere(names: Sequence[str]) -> set[str]:
    """Words in more than 30 % of the ids, and in at least two."""
    counts = Counter(word for name in names for word in set(words_of(name, shortest=2)))
    return {word for word, n in counts.items() if n >= 2 and n > 0.30 * len(names)}


def _match(text: list[str], node: str, label: str, everywhere: set[str]) -> float:
    label_words = [word for word in words_of(label) if word not in everywhere]
    if label_words and set(label_words) <= set(text):
        return LABEL_MATCH
    parts = [word for word in words_of(node, shortest=2) if word not in everywhere]
    if set(pairwise(parts)) & set(pairwise(text)):
        return ADJACENT_WORDS
    return ONE_WORD if set(parts) & set(text) else 0.0


def _rare_tags(documents: Sequence[Document]) -> set[str]:
    counts = Counter(tag for document in documents for tag in document.tags)
    return {tag for tag, n in counts.items() if n < 0.20 * len(documents)}


def _relation(one: Document, two: Document, rare: set[str]) -> float:
    if one.tags & two.tags & rare:
        return RARE_TAG
    for named, naming in ((one, two), (two, one)):
        if named.title and named.title.lower() in f"{naming.text} {naming.title}".lower():
            return TITLE_REFERENCE
    return 0.0
