"""A checksum stands for every column of its row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.memory.changes import SCALARS
from hebb_lab.memory.durable.rows import checksums
from hebb_lab.memory.durable.rows.packing import packed
from tests.memory.made import made_added

ADDED = made_added(5)
IDS = ADDED.ids.to_bytes()
TEXT = st.binary(max_size=8)


def test_every_number_of_a_memory_counts():
    def summed(place=3, **columns):
        numbers = packed({**ADDED.scalars, **columns})
        return [
            checksums.of_memory(part, place, one) for part, one in zip(IDS, numbers, strict=True)
        ]

    whole = summed()
    assert set(summed(place=4)).isdisjoint(whole)
    for name, kind in SCALARS.items():
        other = ADDED.scalars[name].copy()
        other[2] = other[2] ^ True if kind is np.bool_ else other[2] + kind(1)
        changed = summed(**{name: other})
        assert [row for row in range(5) if changed[row] != whole[row]] == [2]


@given(TEXT, TEXT, st.none() | TEXT, st.none() | TEXT, st.integers(0, 2))
def test_a_byte_that_goes_from_one_text_to_the_next_counts(content, context, entity, vector, part):
    whole = checksums.of_text(IDS[0], content, context, entity, vector)
    assert whole != checksums.of_text(IDS[1], content, context, entity, vector)
    moved = [content, context, entity or b""]
    moved[part] += b"x"
    assert whole != checksums.of_text(IDS[0], *moved, vector)
    if context:
        moved = (content + context[:1], context[1:], entity, vector)
        assert whole != checksums.of_text(IDS[0], *moved)


def test_no_entity_and_an_empty_one_are_two_things():
    assert checksums.of_text(IDS[0], b"a", b"{}", None, None) != checksums.of_text(
        IDS[0], b"a", b"{}", b"", None
    )


def test_every_column_of_an_edge_a_tombstone_and_a_fact_counts():
    def edge(source=0, target=1, kind=1, confidence=0.5, time_us=3):
        return checksums.of_edges(
            [IDS[source]], [IDS[target]], np.array([kind], np.int8),
            np.array([confidence], np.float32), np.array([time_us]),
        )[0]  # fmt: skip

    edges = {
        edge(),
        edge(source=2),
        edge(target=2),
        edge(kind=2),
        edge(confidence=1),
        edge(time_us=4),
    }
    assert len(edges) == 6
    stone = (IDS[0], 5, b"s" * 16, b"d" * 32, "ids")
    others = (IDS[1], 6, b"t" * 16, b"e" * 32, "entity")
    sums = {checksums.of_tombstone(*stone)}
    for place, other in enumerate(others):
        sums.add(checksums.of_tombstone(*stone[:place], other, *stone[place + 1 :]))
    assert len(sums) == 6
    assert checksums.of_fact("a", "b") != checksums.of_fact("ab", "")
