"""Documents become memories in the order of writing."""

import numpy as np

from hebb_lab.corpora.assemble import memories_of
from hebb_lab.corpora.attributes import Attributes, Written
from hebb_lab.corpora.stated import Edge, Relation, Stated
from hebb_lab.telemetry.touches import touches_of
from tests.corpora.made import sink


def made(documents, stated=None):
    """Memories of (name, session, time in s, attributes)."""
    into, _ = sink()
    for line, (name, session, seconds, _) in enumerate(documents, 1):
        into.touch(
            session=session, node=name, op="write", tool="corpus", source="table", file="f",
            line=line, byte=0, node_kind="memory",
            time_us=None if seconds is None else seconds * 10**6,
            time_quality="none" if seconds is None else "exact",
        )  # fmt: skip
    log = into.finish("f")
    written = {name: Written(f"text {name}", about) for name, _, _, about in documents}
    return memories_of(log, written, stated), log


def test_memories_stand_by_time_and_have_the_times_of_the_touches():
    plain = Attributes()
    memories, log = made(
        [("c", "s", 30, plain), ("z", "t", 10, plain), ("a", "t", 10, plain), ("b", "r", 20, plain)]
    )
    assert memories.names == ("z", "a", "b", "c")
    assert memories.texts == ("text z", "text a", "text b", "text c")
    assert [memories.sessions[s] for s in memories.session] == ["t", "t", "r", "s"]
    assert memories.time_us.tolist() == touches_of(log).time_us.tolist()
    assert (memories.scopes, memories.scope.tolist()) == (("all",), [0] * 4)
    assert memories.chains is None


def test_what_is_known_of_documents_goes_with_them():
    ann, bob = ("Ann", "PERSON"), ("BOB", "PERSON")
    memories, _ = made(
        [
            ("late", "s", 9, Attributes("y", 2.5, -4, 5, 6, True, False, ("red", "p99"),
                                        (ann, ("bob", "PERSON"), ann))),
            ("soon", "t", 1, Attributes("x", resolved=True, tags=("p99",), mentions=(bob,))),
        ]
    )  # fmt: skip
    assert memories.names == ("soon", "late")
    assert (memories.scopes, memories.scope.tolist()) == (("x", "y"), [0, 1])
    assert np.isnan(memories.importance[0])
    assert memories.importance[1] == 2.5
    for name, values in {
        "valence": [0, -4], "arousal": [-1, 5], "recalls": [0, 6], "pinned": [False, True],
        "resolved": [True, False],
    }.items():  # fmt: skip
        assert getattr(memories, name).tolist() == values
    assert memories.tag_names == ("p99", "red")
    assert [memories.tags.row(i).tolist() for i in range(2)] == [[0], [1, 0]]
    assert memories.entity_names == ("BOB", "Ann")
    assert memories.entity_types == ("PERSON", "PERSON")
    assert [memories.mentions.row(i).tolist() for i in range(2)] == [[0], [1, 0, 1]]


def test_what_is_stated_names_places_and_relations_stand_in_the_order_of_writing():
    ann, bob = ("Ann", "PERSON"), ("Bob", "ROBOT")
    plain = Attributes()
    memories, _ = made(
        [("c", "s", 30, plain), ("b", "r", 20, Attributes(mentions=(ann,))), ("a", "t", 10, plain)],
        Stated(
            (Edge("c", "a", 4.0),),
            (("c", "a", "b"),),
            (Relation(ann, bob, "OWNS", "c"), Relation(bob, ann, "KNOWS", "a")),
        ),
    )
    assert memories.names == ("a", "b", "c")
    assert [part.tolist() for part in memories.hints] == [[2], [0], [4.0]]
    assert memories.chains.row(0).tolist() == [2, 0, 1]
    assert (memories.entity_names, memories.entity_types) == (("Ann", "Bob"), ("PERSON", "ROBOT"))
    assert memories.relation_kinds == ("KNOWS", "OWNS")
    assert [part.tolist() for part in memories.relations] == [[1, 0], [0, 1], [0, 1], [0, 2]]


def test_nothing_stated_leaves_empty_hints_and_relations():
    memories, _ = made([("a", "s", 1, Attributes())], Stated())
    assert len(memories.hints.first) == len(memories.relations.kind) == 0
    assert memories.relations.kind.dtype == np.int32
    assert memories.chains is None


def test_documents_without_times_keep_the_order_of_the_file():
    memories, _ = made([(name, name, None, Attributes()) for name in "zam"])
    assert memories.names == ("z", "a", "m")


def test_an_entity_has_the_type_of_the_memory_that_was_written_first():
    memories, _ = made(
        [
            ("late", "s", 9, Attributes("x", mentions=(("redis", "TOOL"),))),
            ("soon", "t", 1, Attributes("y", mentions=(("Redis", "PRODUCT"), ("REDIS", "API")))),
        ]
    )
    assert (memories.entity_names, memories.entity_types) == (("Redis",), ("PRODUCT",))


def test_a_relation_that_was_written_before_all_mentions_gives_the_type():
    ann, again, bob = ("Ann", "PERSON"), ("ANN", "ROBOT"), ("Bob", "PERSON")
    documents = [("a", "s", 1, Attributes()), ("b", "s", 2, Attributes(mentions=(ann, bob)))]
    early = made(documents, Stated(relations=(Relation(again, bob, "KNOWS", "a"),)))[0]
    same = made(documents, Stated(relations=(Relation(again, bob, "KNOWS", "b"),)))[0]
    assert (early.entity_names, early.entity_types) == (("ANN", "Bob"), ("ROBOT", "PERSON"))
    assert (same.entity_names, same.entity_types) == (("Ann", "Bob"), ("PERSON", "PERSON"))
