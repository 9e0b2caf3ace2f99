"""What writes insights gets and gives, and how its answer is held to the rules."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]

CONTENT_BYTES, TAG_BYTES = 65_536, 8_192


@dataclass(frozen=True)
class Sources:
    """A cluster of n episodes, as an insight writer sees it.

    Args:
        contents: [n], the nearest to the centroid first.
        contexts: [n].
        entity: that all of them share, or None.
        vectors: [n, d] float32 unit vectors.
        centroid: [d] float32, their mean direction.
        embed: texts → [m, d] unit vectors by the store's embedder, or None where it has none.
    """

    contents: Sequence[str]
    contexts: Sequence[Mapping[str, Any]]
    entity: str | None
    vectors: NDArray[np.float32]
    centroid: NDArray[np.float32]
    embed: Embed | None = None

    def __len__(self) -> int:
        return len(self.contents)


class Insight(NamedTuple):
    """What a writer draws from a cluster.

    Args:
        text: 1 to 65,536 bytes of UTF-8.
        confidence: in [0, 1].
        sources: places among the episodes of the cluster; all of them where it is empty.
        tags: at most 8,192 bytes as JSON.
    """

    text: str
    confidence: float
    sources: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()


class InsightWriter(Protocol):
    """A cluster → its insights; none where there is nothing to say.

    Whatever it raises fails that cluster alone.
    """

    def __call__(self, sources: Sources, /) -> Sequence[Insight | Mapping[str, Any]]:
        """Insights, or mappings with their fields."""


class Checked(NamedTuple):
    """The insights of an answer that can be kept, and what was wrong with the rest.

    Args:
        insights: each with the places of its sources, ascending.
        refused: why others were refused.
        unknown_sources: places that are none of the cluster.
    """

    insights: list[Insight]
    refused: list[str]
    unknown_sources: int


def checked_insights(answer: Any, count: int) -> Checked:
    """Hold an answer to the rules: what can be kept of it is kept.

    A source that is no place in the cluster is left out; an insight that is left with none is
    drawn from the whole cluster. An insight is refused for an empty text, one over 65,536 bytes
    or with lone surrogates, a confidence outside [0, 1], tags that are no texts or over 8,192
    bytes.

    Args:
        answer: of a writer.
        count: n, episodes of the cluster.

    Raises:
        ValueError: an answer that is no list.

    >>> checked_insights([{"text": "They sail.", "confidence": 0.9, "sources": [1, 7]}], 3)
    Checked(insights=[Insight(text='They sail.', confidence=0.9, sources=(1,), tags=())], \
refused=[], unknown_sources=1)
    """
    if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Sequence):
        raise ValueError(f"an answer that is no list of insights but {type(answer).__name__}")
    good: list[Insight] = []
    refused: list[str] = []
    unknown = 0
    for place, item in enumerate(answer):
        given = item._asdict() if isinstance(item, Insight) else item
        try:
            sources, strange = _places(given, count)
            good.append(Insight(_text(given), _confidence(given), sources, _tags(given)))
            unknown += strange
        except ValueError as error:
            refused.append(f"insight {place}: {error}")
    return Checked(good, refused, unknown)


def _places(given: Any, count: int) -> tuple[tuple[int, ...], int]:
    if not isinstance(given, Mapping):
        raise ValueError(f"it is no object but {type(given).__name__}")
    sources = given.get("sources")
    sources = sources.tolist() if isinstance(sources, np.ndarray) else sources or ()
    if isinstance(sources, str | bytes) or not isinstance(sources, Sequence):
        raise ValueError("its sources are no list of places")
    known = {
        int(place)
        for place in sources
        if isinstance(place, Integral) and not isinstance(place, bool) and 0 <= int(place) < count
    }
    strange = sum(1 for place in sources if isinstance(place, bool) or place not in known)
    return tuple(sorted(known)) or tuple(range(count)), strange


def _text(given: Mapping[str, Any]) -> str:
    text = given.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("its text is empty")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ValueError("its text has lone surrogates") from None
    if size > CONTENT_BYTES:
        raise ValueError(f"its text has {size} bytes, more than {CONTENT_BYTES}")
    return text


def _confidence(given: Mapping[str, Any]) -> float:
    value = given.get("confidence")
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError("its confidence is no number")
    value = float(value)
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise ValueError(f"its confidence {value} is not in [0, 1]")
    return value


def _tags(given: Mapping[str, Any]) -> tuple[str, ...]:
    tags = given.get("tags") or ()
    if isinstance(tags, str) or not isinstance(tags, Sequence):
        raise ValueError("its tags are no list")
    if not all(isinstance(tag, str) for tag in tags):
        raise ValueError("its tags are no texts")
    try:
        size = len(json.dumps(list(tags), ensure_ascii=False).encode())
    except UnicodeEncodeError:
        raise ValueError("its tags have lone surrogates") from None
    if size > TAG_BYTES:
        raise ValueError(f"its tags have {size} bytes, more than {TAG_BYTES}")
    return tuple(tags)
