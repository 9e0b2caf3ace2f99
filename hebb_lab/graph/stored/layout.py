"""Which file of a folder holds what, in the page's names or in those of the containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.errors import InputError
from hebb_lab.graph.files.names import FILE_NAME

if TYPE_CHECKING:
    from pathlib import Path

NAMES: dict[str, dict[str, str]] = {
    "page": {
        "associations": "hebbian.graph",
        "chain": "temporal.chain",
        "tags": "coactivation.dat",
        "directory": "entity-directory.graph",
        "names": FILE_NAME,
        "hyperedges": "hyper-entity.graph",
        "relations": "entity-relations.graph",
        "entity_types": "entity-types.reg",
        "relation_types": "relation-types.reg",
        "hyperedge_types": "hyperedge-types.reg",
        "roles": "hyperedge-roles.reg",
    },
    "container": {
        "associations": "hebbian.graph",
        "chain": "temporal.chain",
        "tags": "coactivation.tracker",
        "directory": "entity-directory.edir",
        "names": FILE_NAME,
        "hyperedges": "hypergraph.hyeg",
        "relations": "entity-relations.hyeg",
        "entity_types": "entity-types.treg",
        "relation_types": "relation-types.treg",
        "hyperedge_types": "hyperedge-types.treg",
        "roles": "hyperedge-roles.treg",
    },
}
"""file_format → what a file holds → its name."""

NEEDED = ("associations", "chain", "tags", "directory", "hyperedges")
"""What a folder has to hold; the rest is empty, or the well-known types, where it is not there."""


def refuse_other_format(folder: Path, file_format: str) -> None:
    """Refuse to write beside files of the other names, which would be read in place of these.

    Raises:
        InputError: such a file lies in the folder.
    """
    own = set(NAMES[file_format].values())
    for names in NAMES.values():
        for name in names.values():
            if name not in own and (folder / name).exists():
                raise InputError(
                    f"it holds graphs in the other format, and not '{file_format}'",
                    "Name another folder, or remove them", folder / name,
                )  # fmt: skip


def files_in(folder: Path) -> dict[str, Path]:
    """What a folder holds → the file.

    Raises:
        InputError: no folder, one that lacks a graph, or a graph in both formats.
    """
    if not folder.is_dir():
        raise InputError("this is no folder", "Name the folder that graphs were saved to", folder)
    found: dict[str, Path] = {}
    for part in NAMES["page"]:
        names = dict.fromkeys(names[part] for names in NAMES.values())
        held = [folder / name for name in names if (folder / name).exists()]
        if len(held) > 1:
            raise InputError(
                f"{held[0].name} says the same beside it", "Remove one of the two", held[1]
            )
        if held:
            found[part] = held[0]
        elif part in NEEDED:
            raise InputError(
                f"there is no {' and no '.join(names)}", "Save all graphs to the folder", folder
            )
    return found
