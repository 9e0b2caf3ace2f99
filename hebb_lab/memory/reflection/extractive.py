"""Insights without a language model: the sentence that stands nearest to a cluster's centre."""

from __future__ import annotations

import re

import numpy as np

from hebb_lab.memory.reflection.insight import CONTENT_BYTES, Insight, Sources

NEAREST = 10  # episodes whose sentences are considered
FEWEST_WORDS = 4  # a shorter sentence is taken only where there is no other
_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"”)\]])\s+|\n+")


def extractive(sources: Sources, sentences: int = 1) -> list[Insight]:
    """The sentences of a cluster that are nearest to its centroid, as one insight.

    Considered are the sentences of the ten episodes nearest to the centroid that have at least
    four words (all of them where none has). A sentence counts by the cosine of its own vector
    where the store has an embedder, else by its episode's; of equal ones the first is taken.
    The sentences stand in the order of their episodes. confidence = the mean cosine of the
    episodes to the centroid, at least 0; every episode is a source. Nothing is drawn at random.

    Args:
        sources: the cluster, the nearest to the centroid first.
        sentences: how many are taken.
    """
    said = [
        (place, sentence)
        for place, content in enumerate(sources.contents[:NEAREST])
        for sentence in sentences_of(content)
    ]
    if not said:
        return []
    said = [one for one in said if len(one[1].split()) >= FEWEST_WORDS] or said
    if sources.embed is None:
        vectors = sources.vectors[[place for place, _ in said]]
    else:
        vectors = sources.embed([sentence for _, sentence in said])
    order = np.argsort(-(vectors @ sources.centroid), kind="stable")[:sentences]
    text = " ".join(said[place][1] for place in sorted(order.tolist()))
    confidence = float(np.clip((sources.vectors @ sources.centroid).mean(), 0, 1))
    return [Insight(_cut(text), confidence, tuple(range(len(sources))))]


def sentences_of(text: str) -> list[str]:
    r"""A text's sentences: they end at . ! ? … before a space, and at the end of a line.

    >>> sentences_of("Hi! We saw Dr.No in May.  It was\nfine")
    ['Hi!', 'We saw Dr.No in May.', 'It was', 'fine']
    """
    return [part.strip() for part in _END.split(text) if part.strip()]


def _cut(text: str) -> str:
    return text.encode()[:CONTENT_BYTES].decode(errors="ignore")
