"""What a document says of itself, and what of that cannot be so."""

from collections import Counter
from math import inf, isnan, nan

import pytest

from hebb_lab.corpora import CorpusReport
from hebb_lab.corpora.attributes import Attributes, Entities, attributes_of, kind_of, tags_of


def read(obj):
    """(attributes, reasons) of a document."""
    reasons, report = Counter(), CorpusReport()

    def mend(reason):
        reasons[reason] += 1

    return attributes_of(obj, Entities(report), mend), dict(reasons)


def test_a_document_without_any_has_the_defaults():
    about, reasons = read({"_id": "a", "text": "x"})
    assert isnan(about.importance)
    assert about[2:] == Attributes()[2:] == (0, -1, 0, False, False, (), ())
    assert reasons == {}


@pytest.mark.parametrize("at", ["top", "metadata"])
def test_all_of_them_are_read_at_the_top_or_in_the_metadata(at):
    said = {
        "importance": 6.5, "valence": -40, "arousal": 120, "recallCount": 2, "pinned": True,
        "resolved": True, "synapticTags": [" Red", "red", "p99"], "conversationId": "c",
        "entityMentions": [{"name": " Ann ", "type": "person"}, "Bob", {"name": "ann"}],
    }  # fmt: skip
    about, reasons = read(said if at == "top" else {"metadata": said})
    assert about == Attributes(
        "c", 6.5, -40, 120, 2, True, True, ("red", "p99"),
        (("Ann", "PERSON"), ("Bob", "OTHER"), ("ann", "OTHER")),
    )  # fmt: skip
    assert reasons == {"entity of a second type: the first written is kept": 1}


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("importance", 0.01, 0.05), ("importance", 15, 10), ("importance", inf, 10),
        ("valence", -129, -128), ("valence", 10**400, 127), ("valence", 127.4, 127),
        ("arousal", -5, 0), ("arousal", 300.0, 255), ("recallCount", -3, 0),
        ("recallCount", 2**40, 2**31 - 1),
    ],
)  # fmt: skip
def test_a_number_out_of_its_range_is_set_to_the_nearest_and_counted(name, value, kept):
    about, reasons = read({name: value})
    assert getattr(about, "recalls" if name == "recallCount" else name) == kept
    assert [reason.partition(" ")[0] for reason in reasons] == [name]
    assert "set to the nearest" in next(iter(reasons))


@pytest.mark.parametrize("value", ["6", True, [1], {"a": 1}, nan])
@pytest.mark.parametrize("name", ["importance", "valence", "arousal", "recallCount"])
def test_what_is_no_number_is_left_out_and_counted(name, value):
    about, reasons = read({name: value})
    assert about[2:] == Attributes()[2:]
    assert isnan(about.importance)
    assert reasons == {f"{name} that is no number: left out": 1}


def test_null_is_not_there():
    keys = ("importance", "valence", "arousal", "recallCount", "pinned", "tags", "entities")
    about, reasons = read(dict.fromkeys(keys))
    assert about[2:] == Attributes()[2:]
    assert reasons == {}


def test_entities_and_tags_without_a_name_are_left_out_and_counted():
    about, reasons = read(
        {"entities": ["", {"name": " "}, {"type": "PERSON"}, 7, {"name": "Ann"}],
         "tags": ["", 5, "red"], "pinned": "yes"}
    )  # fmt: skip
    assert about.mentions == (("Ann", "OTHER"),)
    assert about.tags == ("red",)
    assert reasons == {
        "entity without a name: left out": 4,
        "tag without a name: left out": 2,
        "pinned that is neither true nor false: left out": 1,
    }


def test_lists_of_another_shape_are_left_out_and_counted():
    about, reasons = read({"tags": "red", "entities": {"name": "Ann"}})
    assert (about.tags, about.mentions) == ((), ())
    assert reasons == {
        "tags that are no list: left out": 1,
        "entities that are no list: left out": 1,
    }


def test_an_unknown_type_is_registered_and_a_second_one_is_counted():
    report, reasons = CorpusReport(), []
    entities = Entities(report)
    first = entities.mention({"name": "Redis", "type": "software"}, reasons.append)
    again = entities.mention({"name": "REDIS", "type": "TOOL"}, reasons.append)
    assert (first, again) == (("Redis", "SOFTWARE"), ("REDIS", "TOOL"))
    assert entities.relation("uses") == "USES"
    assert entities.relation("Deployed_On") == "DEPLOYED_ON"
    assert dict(report.registered) == {"entity type SOFTWARE": 1, "relation type DEPLOYED_ON": 1}
    assert reasons == ["entity of a second type: the first written is kept"]


def test_that_a_type_of_memory_is_not_used_is_counted():
    report = CorpusReport()
    attributes_of({"memoryType": "EPISODIC"}, Entities(report), print)
    assert dict(report.ignored) == {"memoryType": 1}


def test_names_of_types_and_tags_lose_nuls_and_lone_surrogates():
    assert kind_of(" per\x00son\ud800") == "PERSON?"
    assert tags_of(["a\x00b"], print) == ("ab",)
