"""What a file is, by its first bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hebb_lab.graph.files.chain import ChainFile, read_chain
from hebb_lab.graph.files.coactivation import CoActivationFile, read_co_activation
from hebb_lab.graph.files.encoding.header import (
    BUNDLE,
    COAX,
    EDIR,
    HCSR,
    HGPH,
    HYEG,
    REG,
    SMKM,
    TPCH,
    TREG,
    any_header,
    is_container,
    name_of,
    read_magic,
    refuse_magic,
)
from hebb_lab.graph.files.encoding.source import Source
from hebb_lab.graph.files.entities import EntityDirectoryFile, read_entity_directory
from hebb_lab.graph.files.hebbian import HebbianFile, read_hebbian
from hebb_lab.graph.files.hyperedges import HyperedgeFile, read_hyperedges
from hebb_lab.graph.files.names import NamesFile, read_names
from hebb_lab.graph.files.registry import RegistryFile, read_registry

GraphFile = (
    HebbianFile | ChainFile | CoActivationFile | HyperedgeFile | RegistryFile | EntityDirectoryFile
    | NamesFile
)  # fmt: skip
READERS: dict[int, Callable[[Path], GraphFile]] = {
    HCSR: read_hebbian, HGPH: read_hebbian, TPCH: read_chain, COAX: read_co_activation,
    HYEG: read_hyperedges, REG: read_registry, TREG: read_registry, EDIR: read_entity_directory,
}  # fmt: skip


def layout_of(path: str | Path) -> int | None:
    """The number of the layout of a file: a key of READERS, or None where it is one of names.

    Raises:
        InputError: a file of another kind, or a broken header.
    """
    path = Path(path)
    if path.suffix == ".idx":  # the one file that begins with no magic number
        return None
    with Source(path) as source:
        magic = read_magic(source)
        if magic in READERS:
            return magic
        if not is_container(magic):
            refuse_magic(source, magic, SMKM, *READERS)
        layout = any_header(source).layout
        if layout == BUNDLE:
            source.refuse(
                "it is a bundle of several stores in one file", 36,
                "Store the graph in files of its own (without bundle mode)",
            )  # fmt: skip
        if layout not in READERS:
            source.refuse(
                f"it holds {name_of(layout)}, which is no graph", 36, "Name the file of a graph"
            )
        return layout


def read_graph_file(path: str | Path) -> GraphFile:
    """Read a file of any kind that is known here, by its magic number.

    Raises:
        InputError: another file, or a broken one; with the byte.
    """
    layout = layout_of(path)
    return read_names(path) if layout is None else READERS[layout](Path(path))
