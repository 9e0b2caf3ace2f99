import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.registry import HYPEREDGE_TYPES, ROLES, TypeRegistry
from hebb_lab.records.known_types import ENTITY_TYPES, RELATION_TYPES


def test_well_known_types_have_their_ids_beforehand():
    entities, relations = TypeRegistry(ENTITY_TYPES), TypeRegistry(RELATION_TYPES)
    assert (entities.find("person"), entities.find(" Organization ")) == (0, 1)
    assert (len(entities), len(relations)) == (22, 21)  # the page says 21 of both and lists these
    assert relations.name_of(20) == "OTHER"


def test_an_unknown_type_is_registered_at_its_first_use():
    types = TypeRegistry(ENTITY_TYPES)
    assert types.find("VEHICLE") is None
    assert types.intern("vehicle") == types.intern(" VEHICLE ") == 22
    assert types.name_of(22) == "VEHICLE"
    assert types.items()[-1] == ("VEHICLE", 22)


def test_a_blank_type_is_other_and_an_unknown_id_is_unknown():
    types = TypeRegistry(ENTITY_TYPES)
    assert types.name_of(types.intern("  ")) == "OTHER"
    assert types.name_of(1000) == types.name_of(-1) == "UNKNOWN"


def test_after_the_ids_of_a_file_the_next_one_follows():
    types = TypeRegistry.of_ids({"A": 10, "b": 11})
    assert types.intern("new") == 12
    assert types.intern("B") == 11


@pytest.mark.parametrize("ids", [{"A": 1, "B": 1}, {"A": -1}, {"A": 0, " a ": 1}])
def test_ids_that_clash_are_refused(ids):
    with pytest.raises(InputError, match="taken or below 0"):
        TypeRegistry.of_ids(ids)


def test_a_name_that_no_file_can_hold_is_refused():
    with pytest.raises(InputError, match="longer than 65535 bytes"):
        TypeRegistry().intern("é" * 40_000)


def test_roles_and_types_of_hyperedges_have_the_ids_of_the_code():
    assert ROLES[:4] == ("UNSPECIFIED", "SUBJECT", "OBJECT", "CONTEXT")
    assert {"AGENT", "LOCATION"} <= set(ROLES)
    assert HYPEREDGE_TYPES.index("CONTRADICTS") == 1
