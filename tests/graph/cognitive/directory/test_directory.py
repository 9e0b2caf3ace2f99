import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph.cognitive.directory import EntityDirectory
from hebb_lab.graph.cognitive.directory.learning import pieces
from hebb_lab.graph.cognitive.rules import CognitiveRules


def directory_of(*names, kind="PERSON", **switches):
    directory = EntityDirectory(CognitiveRules(**switches))
    for name in names:
        directory.intern(name, kind)
    return directory


def test_two_memories_of_an_entity_make_its_fan_factor_one_over_root_two():
    directory = directory_of("Alice", "Bob")
    directory.link(0, 5)
    assert directory.fan_factor(0) == directory.fan_factor(1) == 1.0
    directory.link(0, 9)
    assert directory.fan_factor(0) == pytest.approx(2**-0.5)
    assert directory.fan_factors().tolist() == [pytest.approx(2**-0.5), 1.0]


def test_a_mention_again_strengthens_the_link_by_a_fifth():
    directory = directory_of("Alice")
    for _ in range(3):
        directory.link(0, 4)
    memories, weights = directory.memories_of(0)
    assert memories.tolist() == [4]
    assert weights == pytest.approx([1.4])
    directory.write(np.array([0, 0]), np.array([2, 2]))  # twice by one memory
    assert directory.memories_of(0)[1] == pytest.approx([1.2, 1.4])


def test_a_link_of_weight_one_goes_at_cycle_32():
    directory = directory_of("Alice")
    directory.link(0, 0)
    gone = [directory.decay(0.95, 0.2) for _ in range(32)]
    assert gone == [0] * 31 + [1]
    assert len(directory.links) == 0
    assert directory.find("alice") == 0  # the entity stays


def test_a_merged_name_leads_to_the_shorter_one_with_its_links():
    directory = directory_of("Kubernetess", "Kubernetes")
    for entity, memory in ((0, 1), (0, 2), (1, 2)):
        directory.link(entity, memory)
    assert directory.merge() == 1
    assert directory.find("kubernetess") == directory.find("Kubernetes") == 1
    memories, weights = directory.memories_of(0)
    assert (memories.tolist(), weights.tolist()) == ([1, 2], [1.0, 2.0])
    assert directory.intern("KUBERNETESS") == 1
    directory.link(0, 7)
    assert directory.memories_of(1)[0].tolist() == [1, 2, 7]


def test_of_two_names_of_one_length_the_earlier_stays():
    directory = directory_of("Jonathan", "Jonathon")
    assert directory.merge() == 1
    assert directory.canonical.tolist() == [0, 0]


def test_short_names_and_other_types_stay_apart():
    directory = directory_of("ann", "amy", "Python")
    directory.intern("Pythons", "TECHNOLOGY")
    assert directory.merge() == 0
    assert directory_of("ann", "amy", merge_min_length=0).merge() == 1


def test_a_chain_of_merges_ends_at_one_entity():
    directory = directory_of("database", "databases", "databases12", "databases1234")
    assert directory.merge() == 3
    assert directory.canonical.tolist() == [0, 0, 0, 0]


def test_a_later_shorter_name_takes_over():
    directory = directory_of("project alphas")
    directory.link(0, 1)
    assert directory.merge() == 0
    later = directory.intern("project alpha", "PERSON")
    assert directory.merge() == 1
    assert directory.find("project alphas") == later
    assert directory.memories_of(later)[0].tolist() == [1]


def test_a_hundred_thousand_entities_that_differ_by_a_letter_become_one():
    directory = EntityDirectory()
    for i in range(100_000):
        directory.names.intern(f"entity {chr(0x4E00 + i % 20_000)}{'あいうえお'[i // 20_000]}")
    directory.know(100_000)
    directory.write(np.arange(100_000), np.arange(100_000))
    assert directory.cycle() == 99_999
    assert (directory.canonical == 0).all()
    assert len(directory.memories_of(77)[0]) == 100_000


def related():
    directory = directory_of("Ada", "Babbage", "Engine", "Cards", "Loom")
    for source, target, kind in (
        (0, 1, "KNOWS"),
        (1, 2, "OWNS"),
        (3, 2, "PART_OF"),
        (3, 4, "SEEN"),
    ):
        directory.relate(source, target, kind, memory=0)
    for entity in range(5):
        directory.link(entity, entity + 10)
    return directory


def test_traversal_is_breadth_first_and_both_ways():
    directory = related()
    assert directory.traverse(0, max_hops=1) == {0: 0, 1: 1}
    assert directory.traverse(0, max_hops=3) == {0: 0, 1: 1, 2: 2, 3: 3}
    assert directory.collect_memories(0, max_hops=2) == [10, 11, 12]


def test_traversal_keeps_to_the_types_that_are_asked_for():
    directory = related()
    assert directory.traverse(0, kinds=["knows"], max_hops=9) == {0: 0, 1: 1}
    assert directory.traverse(1, kinds=["OWNS", "PART_OF"]) == {1: 0, 2: 1, 3: 2}
    assert directory.traverse(0, kinds=["NO SUCH TYPE"]) == {0: 0}
    assert directory.kinds.find("SEEN") == 21  # registered at its first use


def test_an_entity_keeps_its_strongest_relations():
    directory = directory_of("hub", "b", "c", "d", entity_degree_cap=2, merge_distance=0)
    for target in (1, 2, 1, 3):
        directory.relate(0, target, "USES", memory=target)
    assert set(directory.traverse(0)) == {0, 1, 3}
    assert directory.relations.weight == pytest.approx([1.2, 1.0])
    assert set(directory.traverse(2)) == {2}  # gone for both


def test_a_ring_of_relations_ends_and_one_of_an_entity_to_itself_is_none():
    directory = directory_of("a", "b", "c", merge_distance=0)
    for source, target in ((0, 1), (1, 2), (2, 0), (1, 1)):
        directory.relate(source, target, "PRECEDES")
    assert directory.traverse(0, max_hops=99) == {0: 0, 1: 1, 2: 1}
    assert len(directory.relations) == 3


def test_what_is_not_known_is_refused():
    directory = directory_of("Alice")
    for wrong in (
        lambda: directory.link(1, 0), lambda: directory.link(-1, 0), lambda: directory.link(0, -1),
        lambda: directory.relate(0, 1, "KNOWS"), lambda: directory.traverse(3),
        lambda: directory.intern(" "),
    ):  # fmt: skip
        with pytest.raises(InputError):
            wrong()


def test_a_cycle_is_due_after_so_many_memories():
    assert list(pieces(0, 5, 2)) == [(0, 2, True), (2, 4, True), (4, 5, False)]
    assert list(pieces(5, 5, 2)) == []


def test_a_node_and_a_link_take_no_more_than_on_the_page():
    directory = EntityDirectory()
    for i in range(2000):
        directory.names.intern(f"{i:x} of many")
    directory.know(2000)
    rng = np.random.default_rng(0)
    directory.write(rng.integers(0, 2000, 20_000), rng.integers(0, 9000, 20_000))
    assert directory.byte_count() <= 2000 * 64 + len(directory.links) * 8
