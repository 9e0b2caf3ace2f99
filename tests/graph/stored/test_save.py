"""State → files → state, and that files say nothing of what was written later."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hebb_lab.corpora import read_corpus
from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
from hebb_lab.graph.files import read_hyperedges, read_registry
from hebb_lab.graph.stored import learn_layers, read_graphs, save_graphs, save_layers, tags
from hebb_lab.graph.stored.hyperedges import LEFT
from hebb_lab.graph.stored.layout import NAMES
from hebb_lab.records import Lists
from tests.graph.stored import worlds


@pytest.mark.parametrize("rules", worlds.RULES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32), count=st.integers(8, 50), share=st.floats(0, 1))
def test_what_was_learned_comes_back_from_files(tmp_path, rules, seed, count, share):
    rules = worlds.RULES[rules]
    memories = worlds.random_memories(np.random.default_rng(seed), count, chains=seed % 3 == 0)
    known = round(share * count)
    folder = tmp_path / rules.file_format
    saved = save_graphs(folder, memories, rules, known)
    assert {path.name for path in folder.iterdir()} == {path.name for path in saved.values()}
    assert {path.name for path in saved.values()} == set(NAMES[rules.file_format].values())
    worlds.assert_stored(read_graphs(folder), memories, worlds.learned(memories, rules, known))


@pytest.mark.parametrize("rules", [DOCUMENTED, OBSERVED])
def test_a_published_benchmark_comes_back_from_files(tmp_path, shared_data, rules):
    memories = read_corpus(shared_data / "spector_mini").memories
    save_graphs(tmp_path, memories, rules)
    worlds.assert_stored(read_graphs(tmp_path), memories, worlds.learned(memories, rules))


def test_the_worlds_have_merges_deleted_hyperedges_and_entities_that_left_one():
    found = set()
    for seed in range(6):
        memories = worlds.random_memories(np.random.default_rng(seed))
        layers = worlds.learned(memories, worlds.RULES["ingested"])
        directory, atoms = layers.entities.directory(0), layers.hyperedges.graph(0).atoms
        found |= {"merged"} if directory.merging.count else set()
        found |= {"deleted"} if atoms.next_number > len(atoms) else set()
        found |= {"left"} if not atoms.takes_part.all() else set()
        found |= {"floored"} if (layers.hebbian.graph(0).flags & 1).any() else set()
        found |= {"edges"} if len(layers.stdp.edges(0).source) else set()
    assert found >= {"merged", "deleted", "left", "edges"}


def test_an_entity_that_left_a_hyperedge_has_its_role_and_256(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(3))
    rules = worlds.RULES["documented"]
    atoms = worlds.learned(memories, rules).hyperedges.graph(0).atoms
    stored = read_hyperedges(save_graphs(tmp_path, memories, rules)["hyperedges"])
    assert (~atoms.takes_part).any()
    assert (stored.role >= LEFT).tolist() == (~atoms.takes_part).tolist()
    live = stored.vertex_count > 0
    times = memories.time_us[stored.memory[live]] // 1000
    assert stored.timestamp_ms[live].tolist() == times.tolist()


def test_what_is_written_is_a_function_of_what_is_known(tmp_path):
    rng = np.random.default_rng(5)
    memories = worlds.random_memories(rng)
    known = 23
    last = len(memories) - 1
    tag, entity = len(memories.tag_names), len(memories.entity_names)
    tag_rows = [memories.tags.row(i).tolist() for i in range(len(memories))]
    rows = [memories.mentions.row(i).tolist() for i in range(len(memories))]
    tag_rows[last], rows[last] = [tag], [entity, 1]
    other = replace(
        memories, tags=Lists.of(tag_rows), tag_names=(*memories.tag_names, "laterword"),
        mentions=Lists.of(rows), entity_names=(*memories.entity_names, "laterword"),
        entity_types=(*memories.entity_types, "LATERWORD"),
    )  # fmt: skip
    for name in worlds.RULES:
        one, two = tmp_path / name / "one", tmp_path / name / "two"
        one_files = save_graphs(one, memories, worlds.RULES[name], known)
        two_files = save_graphs(two, other, worlds.RULES[name], known)
        for part, path in one_files.items():
            assert path.read_bytes() == two_files[part].read_bytes(), part
            assert b"later" not in path.read_bytes().lower()


def test_a_new_type_has_the_next_number_and_the_well_known_ones_theirs(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(0))
    memories = replace(memories, entity_types=("SPACESHIP",) * len(memories.entity_types))
    saved = save_graphs(tmp_path, memories, DOCUMENTED)
    types = read_registry(saved["entity_types"])
    assert (types.names[0], types.names[-1], types.ids[-1]) == ("PERSON", "SPACESHIP", 22)


def test_layers_that_recall_taught_are_written_as_they_are(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(1))
    rules = worlds.RULES["observed"]
    layers = learn_layers(memories, rules, len(memories))
    assert len(save_and_read(tmp_path / "untaught", memories, layers).tags.pairs_frame()) == 0
    for layer in (layers.stdp, layers.cross_capture):
        layer.observe_recall(np.array([[3, 5, 9, 12], [20, 21, 2, -1]]))
    graphs = save_and_read(tmp_path / "taught", memories, layers)
    assert len(graphs.tags.pairs_frame()) > 0
    worlds.assert_stored(graphs, memories, layers)


def save_and_read(folder, memories, layers):
    save_layers(folder, memories, layers, "container")
    return read_graphs(folder)


def test_saving_again_replaces_and_saves_the_same_bytes(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(2))
    first = save_graphs(tmp_path, memories, DOCUMENTED, 10)
    early = first["associations"].read_bytes()
    again = save_graphs(tmp_path, memories, DOCUMENTED)
    late = {part: path.read_bytes() for part, path in again.items()}
    assert early != late["associations"]
    third = save_graphs(tmp_path, memories, DOCUMENTED)
    assert late == {part: path.read_bytes() for part, path in third.items()}


def test_what_files_cannot_hold_is_refused_by_name(tmp_path, monkeypatch):
    memories = worlds.random_memories(np.random.default_rng(2))
    with pytest.raises(ConfigError, match="41 memories of 40 are to be known"):
        save_graphs(tmp_path / "a", memories, DOCUMENTED, 41)
    with pytest.raises(ConfigError, match="-1 memories"):
        save_graphs(tmp_path / "a", memories, DOCUMENTED, -1)
    with pytest.raises(ConfigError, match="chain=empty cannot be stored"):
        save_graphs(tmp_path / "a", memories, DOCUMENTED.change(nulls=["chain=empty"]))
    half = replace(memories, tag_names=("\ud800", *memories.tag_names[1:]))
    with pytest.raises(InputError, match=r"coactivation.dat: a name cannot be written: '\\ud800'"):
        save_graphs(tmp_path / "b", half, DOCUMENTED)
    monkeypatch.setattr(tags, "tag_hash", lambda name: 7)
    with pytest.raises(InputError, match="have the same hash"):
        save_graphs(tmp_path / "c", memories, DOCUMENTED)


def test_a_place_that_cannot_be_written_to_is_refused(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(2))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: cannot be made"):
        save_graphs(tmp_path / "file", memories, DOCUMENTED)
    save_graphs(tmp_path / "page", memories, DOCUMENTED)
    with pytest.raises(InputError, match="in the other format, and not 'container'"):
        save_graphs(tmp_path / "page", memories, OBSERVED)
    layers = learn_layers(memories, DOCUMENTED, 9)
    with pytest.raises(ConfigError, match="there is no file format 'json'"):
        save_layers(tmp_path / "page", memories, layers, "json")
    layers.hebbian.advance(10)
    with pytest.raises(ConfigError, match="the layers know different memories"):
        save_layers(tmp_path / "page", memories, layers)


def test_weights_that_grew_beyond_all_bounds_are_no_state_that_can_be_stored(tmp_path):
    memories = worlds.random_memories(np.random.default_rng(2))
    rules = OBSERVED.change(cycle_memories=1, hebbian_decay=1e30)
    with pytest.raises(InputError, match=r"hebbian.graph.*a weight that is no number"):
        save_graphs(tmp_path, memories, rules)
