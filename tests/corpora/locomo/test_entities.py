"""Entities are known by the very words of a turn or a question."""

from hebb_lab.corpora import CorpusReport
from hebb_lab.corpora.attributes import Entities
from hebb_lab.corpora.locomo.entities import GivenEntities
from tests.corpora.locomo.made import ENTITIES


def given(more=None):
    report = CorpusReport()
    return GivenEntities(ENTITIES | (more or {}), Entities(report)), report


def test_white_space_does_not_count_and_types_have_their_known_names():
    entities, report = given()
    found = entities.mentions(" Ann: Bob's plum\nis  ripe.", print)
    assert found == (("Ann", "PERSON"), ("Bob", "PERSON"))
    assert not report.registered


def test_a_text_without_an_entry_is_counted_and_one_without_entities_is_not():
    entities, _ = given()
    reasons = []
    assert entities.mentions("Bob: Look!", reasons.append) == ()
    assert reasons == []
    assert entities.mentions("Bob: What?", reasons.append) == ()
    assert reasons == ["text without an entry among the given entities: none are known"]


def test_entities_without_a_name_are_left_out_and_names_stand_once():
    entities, report = given({"x": [{"text": "Rex", "type": "DOG"}, "Rex", {"type": "PER"}]})
    reasons = []
    assert entities.mentions("Cy: I moved to Oslo.", reasons.append) == (("Oslo", "LOCATION"),)
    assert entities.names("Where does Cy live?", reasons.append) == ("Cy",)
    assert entities.names("x", reasons.append) == ("Rex",)
    assert reasons.count("entity without a name: left out") == 2
    assert dict(report.registered) == {"entity type DOG": 1}
