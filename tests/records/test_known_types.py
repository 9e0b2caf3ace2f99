"""The types that are known before any data is read."""

from hebb_lab.records.known_types import ENTITY_TYPES, RELATION_TYPES


def test_each_type_is_there_once_in_the_pages_order():
    assert ENTITY_TYPES[:2] == ("PERSON", "ORGANIZATION")
    assert ENTITY_TYPES[-1] == RELATION_TYPES[-1] == "OTHER"
    assert len(set(ENTITY_TYPES)) == 22  # the page says 21 and lists 22
    assert len(set(RELATION_TYPES)) == 21
