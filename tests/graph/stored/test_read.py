"""What researchers look at, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.graph import files
from hebb_lab.graph.cognitive.published import DOCUMENTED
from hebb_lab.graph.stored import read_graphs, save_graphs
from hebb_lab.graph.stored.associations import associations_to_file
from hebb_lab.graph.stored.directory import directory_to_file
from tests.graph.cognitive import tag_worlds
from tests.graph.cognitive.directory import made_worlds
from tests.graph.files.made_files import assert_same
from tests.graph.stored import worlds


def small_memories():
    named = made_worlds.memories(
        [["Ada", "Acme", "Bob"], ["Ada"], ["Bob", "Acme"]], ["Ada", "Acme", "Bob"],
        ("PERSON", "ORGANIZATION", "PERSON"), [("Ada", "Bob", "KNOWS", 1)],
    )  # fmt: skip
    return replace(
        tag_worlds.memories([["p99", "latency"], ["pool"], ["pool", "größe"]]),
        mentions=named.mentions, entity_names=named.entity_names, entity_types=named.entity_types,
        relations=named.relations, relation_kinds=named.relation_kinds,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    save_graphs(tmp_path, small_memories(), DOCUMENTED)
    return tmp_path


def test_associations_are_matrices(folder):
    graph = read_graphs(folder).associations
    dense = graph.to_scipy().toarray()
    assert dense.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert graph.to_torch().to_dense().tolist() == dense.tolist()


def test_tags_are_tables_of_names(folder):
    tags = read_graphs(folder).tags
    pairs = {frozenset(row[:2]): row[2] for row in tags.pairs_frame().iter_rows()}
    assert pairs == {frozenset(("p99", "latency")): 1, frozenset(("pool", "größe")): 1}
    edges = {row[:2]: row[2:] for row in tags.edges_frame().iter_rows()}
    assert edges["latency", "pool"] == (pytest.approx(0.1 * np.exp(-1 / 30)), 1000, 1)
    assert edges["pool", "latency"] == (0.0, 1000, 1)


def test_chains_are_sequences_of_memories(folder):
    assert read_graphs(folder).chains().ids.tolist() == [0, 1, 2]


def test_the_directory_answers_by_name(folder):
    directory = read_graphs(folder).directory
    ada, bob = directory.find(" ADA "), directory.find("bob")
    assert directory.memories_of(ada)[0].tolist() == [0, 1]
    assert directory.fan_factor(ada) == pytest.approx(2**-0.5)
    assert directory.traverse(ada, ["knows"]) == {ada: 0, bob: 1}
    assert directory.names.types.name_of(directory.names.kinds[1]) == "ORGANIZATION"


def test_hyperedges_have_their_incidence_again(folder):
    graphs = read_graphs(folder)
    hypergraph = graphs.hypergraph
    assert hypergraph.of_entity(0) == [(0, 1.0)]
    assert hypergraph.co_occurring(1) == [0, 2]
    assert [hypergraph.roles.name_of(r) for r in hypergraph.atoms.role.tolist()] == [
        "SUBJECT", "CONTEXT", "CONTEXT",
    ]  # fmt: skip
    assert graphs.incidence().toarray().tolist() == [[1], [1], [1]]


def test_what_was_read_is_written_the_same_again(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(4))
    saved = save_graphs(tmp_path, memories, worlds.RULES["documented"])
    graphs = read_graphs(tmp_path)
    assert_same(
        associations_to_file(graphs.associations), files.read_hebbian(saved["associations"])
    )
    assert_same(
        directory_to_file(graphs.directory), files.read_entity_directory(saved["directory"])
    )


def test_a_folder_with_no_more_than_spectors_own_files_has_the_well_known_types(folder):
    for path in folder.iterdir():
        if path.name.startswith(("entity-relations", "hyperedge-", "entity-types", "relation-t")):
            path.unlink()
    graphs = read_graphs(folder)
    assert len(graphs.directory.relations) == 0
    assert graphs.directory.names.types.name_of(0) == "PERSON"
    assert graphs.hypergraph.roles.name_of(1) == "SUBJECT"


def test_entities_without_names_are_called_by_their_numbers(folder):
    (folder / "entity-directory-names.idx").unlink()
    assert read_graphs(folder).directory.find("entity 2") == 2


def test_a_further_name_of_an_entity_leads_to_it(folder):
    rename(folder, ("ada", "acme", "bob", "robert"), [0, 1, 2, 2])
    directory = read_graphs(folder).directory
    assert directory.find("Robert") == 2
    assert directory.names.folded == ["ada", "acme", "bob"]


def test_a_tag_without_a_name_is_called_by_its_hash(folder):
    path = folder / "coactivation.dat"
    value = files.read_co_activation(path)
    files.write_co_activation(
        path, replace(value, tag_hash=value.tag_hash[1:], tag_names=value.tag_names[1:])
    )
    assert f"0x{int(value.tag_hash[0]) & (1 << 64) - 1:016x}" in read_graphs(folder).tags.names


def rename(folder, names, ids):
    path = folder / "entity-directory-names.idx"
    files.write_names(path, files.NamesFile(names, np.array(ids, np.int32)))


def rewritten(name, read, write, **changes):
    """A spoiler of a folder: one file with some columns changed."""

    def spoil(folder):
        value = read(folder / name)
        write(folder / name, replace(value, **{k: np.array(v) for k, v in changes.items()}))

    return spoil


def hyper(**changes):
    return rewritten(
        "hyper-entity.graph", files.read_hyperedges, files.write_hyperedges,
        **{name: np.array(values, np.int32) for name, values in changes.items()},
    )  # fmt: skip


def entities(**changes):
    return rewritten(
        "entity-directory.graph", files.read_entity_directory, files.write_entity_directory,
        **changes,
    )  # fmt: skip


def more_entities(folder):
    path = folder / "hyper-entity.graph"
    value = files.read_hyperedges(path)
    entity = np.array([0, 1, 9], np.int32)
    files.write_hyperedges(path, replace(value, entity=entity, entity_capacity=10))


def shared_vertices(folder):
    path = folder / "hyper-entity.graph"
    value = files.read_hyperedges(path)
    twice = {
        name: np.repeat(getattr(value, name), 2)
        for name in ("kind", "weight", "vertex_count", "vertex_offset", "memory", "timestamp_ms")
    }
    files.write_hyperedges(path, replace(value, **twice, id=np.array([0, 1], np.int32)))


def one_hash(folder):
    path = folder / "coactivation.dat"
    value = files.read_co_activation(path)
    tag_hash = np.append(value.tag_hash, value.tag_hash[0])
    names = (*value.tag_names, "again")
    files.write_co_activation(path, replace(value, tag_hash=tag_hash, tag_names=names))


def to_itself(folder):
    path = folder / "coactivation.dat"
    value = files.read_co_activation(path)
    files.write_co_activation(path, replace(value, pair_b=value.pair_a))


def one_sided(folder):
    (folder / "entity-relations.graph").write_bytes((folder / "hyper-entity.graph").read_bytes())


SPOILED = {
    "no folder": (lambda f: [p.unlink() for p in f.iterdir()] and f.rmdir(), "this is no folder"),
    "a file is gone": (lambda f: (f / "temporal.chain").unlink(), "there is no temporal.chain"),
    "two formats": (
        lambda f: (f / "hypergraph.hyeg").write_bytes(b""),
        "hyper-entity.graph says the same beside it",
    ),
    "cut off": (
        lambda f: (f / "hebbian.graph").write_bytes((f / "hebbian.graph").read_bytes()[:-3]),
        "hebbian.graph: at byte",
    ),
    "another kind": (
        lambda f: (f / "hebbian.graph").write_bytes((f / "temporal.chain").read_bytes()),
        "hebbian.graph: at byte 0: the magic number is TPCH",
    ),
    "an edge twice": (
        rewritten("hebbian.graph", files.read_hebbian, files.write_hebbian,
                  neighbor=np.array([1, 1, 0, 2, 0, 1], np.int32)),
        "an edge stands there twice",
    ),
    "an entity of no directory": (more_entities, "names entity 9, and the directory has 3"),
    "a memory of none": (hyper(memory=[3]), "names memory 3, and there are 3"),
    "a role above a byte": (hyper(role=[1, 3, 600]), "a role 600"),
    "an entity twice": (hyper(entity=[0, 1, 1]), "stands in a hyperedge twice"),
    "an id that was not given": (hyper(id=[4]), "a hyperedge 4, and gave 1 ids"),
    "shared vertices": (shared_vertices, "have 6 vertices and the file 3"),
    "relations of three": (one_sided, "a relation has two ends"),
    "a link to no memory": (
        entities(memory=np.array([0, 1, 0, 7, 0, 2], np.int32)), "names memory 7, and there are 3",
    ),
    "a link twice": (
        entities(memory=np.array([0, 0, 0, 2, 0, 2], np.int32)), "linked to one memory twice",
    ),
    "merged into itself": (
        entities(merged_into=np.array([0, -1, -1], np.int32)), "merged into itself",
    ),
    "merged in a circle": (
        entities(merged_into=np.array([1, 2, 0], np.int32)), "into each other in a circle",
    ),
    "merged in a circle of two": (
        entities(merged_into=np.array([1, 0, -1], np.int32)), "into each other in a circle",
    ),
    "a blank name": (lambda f: rename(f, ("ada", " ", "bob"), [0, 1, 2]), "has a blank name"),
    "a name of two": (
        lambda f: rename(f, ("ada", "bob", "Bob"), [0, 1, 2]), "two entities have the name 'bob'",
    ),
    "a further name of another": (
        lambda f: rename(f, ("ada", "acme", "bob", "Ada"), [0, 1, 2, 2]),
        "two entities have the name 'ada'",
    ),
    "two names of a hash": (one_hash, "a hash has two names"),
    "a pair of one tag": (to_itself, "a tag goes with itself"),
}  # fmt: skip


@pytest.mark.parametrize("what", SPOILED)
def test_a_folder_that_is_spoiled_is_refused_by_name(folder, what):
    spoil, problem = SPOILED[what]
    spoil(folder)
    with pytest.raises(InputError, match=problem):
        read_graphs(folder)


@pytest.mark.parametrize(
    ("previous", "following"),
    [([2, 0, 1], [1, 2, 0]), ([-1, 0, 1], [1, 2, 1]), ([-1, 0, 0], [1, -1, 1])],
)
def test_chains_that_lead_back_are_refused_when_they_are_asked_for(folder, previous, following):
    rewritten(
        "temporal.chain", files.read_chain, files.write_chain,
        previous=np.array(previous, np.int32), next=np.array(following, np.int32),
    )(folder)  # fmt: skip
    graphs = read_graphs(folder)
    with pytest.raises(InputError, match="the chain leads back"):
        graphs.chains()


def test_bytes_that_were_overwritten_are_read_as_other_values_or_refused(tmp_path):
    rng = np.random.default_rng(0)
    memories = worlds.random_memories(np.random.default_rng(1), 20)
    paths = list(save_graphs(tmp_path, memories, worlds.RULES["ingested"]).values())
    refused = 0
    for turn in range(300):
        path = paths[turn % len(paths)]
        whole = path.read_bytes()
        broken = bytearray(whole)
        broken[rng.integers(len(broken))] = rng.choice([0, 1, 127, 128, 255])
        path.write_bytes(broken)
        try:
            graphs = read_graphs(tmp_path)
            graphs.incidence()
            graphs.chains()
        except InputError:
            refused += 1
        path.write_bytes(whole)
    assert refused > 100
