"""Layers are learned, and what they learned is written to files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.cognitive.chain import ChainLayer
from hebb_lab.graph.cognitive.cross_capture import CrossCaptureLayer
from hebb_lab.graph.cognitive.entities import EntityLayer
from hebb_lab.graph.cognitive.hebbian import HebbianLayer
from hebb_lab.graph.cognitive.hyperedges import HyperedgeLayer
from hebb_lab.graph.cognitive.stdp import StdpLayer
from hebb_lab.graph.files.chain import write_chain
from hebb_lab.graph.files.coactivation import write_co_activation
from hebb_lab.graph.files.entities import write_entity_directory
from hebb_lab.graph.files.hebbian import write_hebbian
from hebb_lab.graph.files.hyperedges import write_hyperedges
from hebb_lab.graph.files.names import write_names
from hebb_lab.graph.files.registry import write_registry
from hebb_lab.graph.stored.associations import associations_to_file, chain_to_file
from hebb_lab.graph.stored.directory import directory_to_file, types_to_file
from hebb_lab.graph.stored.hyperedges import atoms_to_file
from hebb_lab.graph.stored.layout import NAMES, refuse_other_format
from hebb_lab.graph.stored.tags import tags_to_file
from hebb_lab.records.known_types import ENTITY_TYPES, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hebb_lab.graph.cognitive.rules import CognitiveRules
    from hebb_lab.graph.files.coactivation import CoActivationFile
    from hebb_lab.graph.files.registry import RegistryFile
    from hebb_lab.records import Memories


class LearnedLayers(NamedTuple):
    """The layers of the cognitive graph, all advanced to the same memory."""

    hebbian: HebbianLayer
    stdp: StdpLayer
    chain: ChainLayer
    entities: EntityLayer
    hyperedges: HyperedgeLayer
    cross_capture: CrossCaptureLayer


def learn_layers(memories: Memories, rules: CognitiveRules, known: int) -> LearnedLayers:
    """All layers under one rule set, as of memory ``known``."""
    makers = (HebbianLayer, StdpLayer, ChainLayer, EntityLayer, HyperedgeLayer, CrossCaptureLayer)
    layers: Any = [maker(memories, [rules]) for maker in makers]
    for layer in layers:
        layer.advance(known)
    return LearnedLayers(*layers)


def save_graphs(
    folder: str | Path, memories: Memories, rules: CognitiveRules, known: int | None = None
) -> dict[str, Path]:
    """Learn all layers under one rule set and write them to a folder, as Spector lays them out.

    What is written is a function of memories [0, known) alone. See `hebb_lab.graph.stored` for the
    files, and for what they have no room for.

    Args:
        folder: made if it is not there. Files of an earlier call are replaced, one by one.
        memories: in the order of writing.
        rules: how to learn; ``file_format`` says in which format to write.
        known: how many memories; None: all.

    Returns:
        what each file holds → the file.

    Raises:
        ConfigError: rules with null models, or more memories than there are.
        InputError: a name that files cannot hold, a folder of the other format, a full disk.
    """
    count = len(memories) if known is None else known
    if not 0 <= count <= len(memories):
        raise ConfigError(
            f"{count} memories of {len(memories)} are to be known", f"Give 0 to {len(memories)}"
        )
    if rules.nulls:
        raise ConfigError(
            f"the null model {rules.nulls[0]} cannot be stored", "Save rules without nulls"
        )
    refuse_other_format(Path(folder), rules.file_format)
    return save_layers(folder, memories, learn_layers(memories, rules, count), rules.file_format)


def save_layers(
    folder: str | Path, memories: Memories, layers: LearnedLayers, file_format: str = "page",
    config: int = 0,
) -> dict[str, Path]:  # fmt: skip
    """Write what layers have learned, also that from recall, to a folder.

    Args:
        folder: see `save_graphs`.
        memories: of the layers.
        layers: learned.
        file_format: ``page`` or ``container``.
        config: which of the layers' rule sets.

    Returns:
        what each file holds → the file.

    Raises:
        ConfigError: an unknown format.
        InputError: a name that files cannot hold, a folder of the other format, a full disk.
    """
    if file_format not in NAMES:
        raise ConfigError(f"there is no file format '{file_format}'", f"Use {' or '.join(NAMES)}")
    folder = Path(folder)
    refuse_other_format(folder, file_format)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be made: {error.strerror}", "Name a folder that may be written", folder
        ) from error
    names = NAMES[file_format]
    for part, write in _writers(memories, layers, file_format, config):
        _write(folder / names[part], write)
    return {part: folder / name for part, name in names.items()}


def _write(path: Path, write: Callable[[Path], None]) -> None:
    try:
        write(path)
    except UnicodeEncodeError as error:
        raise InputError(
            f"a name cannot be written: {ascii(error.object)[:60]} is no Unicode text",
            "Mend the name in the data", path,
        ) from error  # fmt: skip
    except ValueError as error:
        raise InputError(str(error), "Check the data and the rules", path) from error


def _writers(
    memories: Memories, layers: LearnedLayers, file_format: Any, config: int
) -> Iterator[tuple[str, Callable[[Path], None]]]:
    """What is written → how, in the order in which it is written."""
    graph, nodes = layers.hebbian.graph(config), layers.chain.nodes(config)
    directory, hyper = layers.entities.directory(config), layers.hyperedges.graph(config)
    known = layers.entities.known
    if not known == layers.hyperedges.known == len(graph.offsets) - 1 == len(nodes.previous):
        raise ConfigError("the layers know different memories", "Advance all to the same")
    value = associations_to_file(graph)
    yield "associations", partial(write_hebbian, value=value, format=file_format)
    yield "chain", partial(write_chain, value=chain_to_file(nodes), format=file_format)
    tags = _tags(memories, layers, known, config)
    yield "tags", partial(write_co_activation, value=tags)
    named = directory_to_file(directory)
    yield "directory", partial(write_entity_directory, value=named)
    yield "names", partial(write_names, value=named.names)  # also none, over an earlier call's
    for part, atoms in (("hyperedges", hyper.atoms), ("relations", directory.relations)):
        yield part, partial(write_hyperedges, value=atoms_to_file(atoms, memories.time_us))
    for part, types in _registries(layers, known, config).items():
        yield part, partial(write_registry, value=types)


def _tags(memories: Memories, layers: LearnedLayers, known: int, config: int) -> CoActivationFile:
    carried = memories.tags.ids[: int(memories.tags.ptr[known])]
    pairs, edges = layers.cross_capture.pairs(config), layers.stdp.edges(config)
    return tags_to_file(memories.tag_names, np.unique(carried), pairs, edges)


def _registries(layers: LearnedLayers, known: int, config: int) -> dict[str, RegistryFile]:
    """Types that are known beforehand, and those of what is known."""
    stream, directory = layers.entities.stream, layers.entities.directory(config)
    hyper = layers.hyperedges.graph(config)
    of_entities = 1 + max(directory.names.kinds[: len(directory)], default=-1)
    of_relations = 1 + int(stream.said(0, known).kind.max(initial=-1))
    return {
        "entity_types": types_to_file(stream.names.types, max(of_entities, len(ENTITY_TYPES))),
        "relation_types": types_to_file(stream.kinds, max(of_relations, len(RELATION_TYPES))),
        "hyperedge_types": types_to_file(hyper.kinds, len(hyper.kinds)),
        "roles": types_to_file(hyper.roles, len(hyper.roles)),
    }
