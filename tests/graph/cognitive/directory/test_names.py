import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory.names import Names


def test_ids_are_dense_and_the_case_does_not_matter():
    names = Names()
    assert names.intern("Alice", "PERSON") == 0
    assert names.intern("Bob", "PERSON") == 1
    assert names.intern("  ALICE ", "TEAM") == 0
    assert names.find("aLiCe") == 0
    assert names.find("Carol") is None
    assert names.written == ["Alice", "Bob"]


@pytest.mark.parametrize("name", ["", "  ", "\t\n"])
def test_a_blank_name_is_refused(name):
    with pytest.raises(InputError, match="blank name"):
        Names().intern(name)


def test_groups_hold_names_that_a_chain_of_near_ones_joins():
    names = Names()
    for name in ("entity", "entitees", "unrelated", "entite"):
        names.intern(name)
    group = names.groups(2, 5)
    assert group[0] == group[1] == group[3] != -1
    assert group[2] == -1
    assert names.groups(2, 5) is group
    names.intern("something else")
    assert len(names.groups(2, 5)) == 5


def test_short_names_are_in_no_group():
    names = Names()
    names.intern("ann")
    names.intern("amy")
    assert (names.groups(2, 5) == -1).all()
    assert (names.groups(2, 0) == names.groups(2, 0)[0]).all()


def test_a_further_name_leads_to_its_entity_unless_it_is_taken():
    names = Names()
    for name in ("Robert", "Ada"):
        names.intern(name)
    assert (names.alias(" Bob ", 0), names.find("bob"), len(names)) == (0, 0, 2)
    assert names.alias("ADA", 0) == 1
