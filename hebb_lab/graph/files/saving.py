"""The graphs of a data set, learned and written: the command ``save``."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hebb_lab.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hebb_lab.records import Dataset

LOCOMO = "locomo10.json"
_LOG = logging.getLogger(__name__)


def save_dataset(
    dataset: Path, out: Path, rules: str = "documented", known: int | None = None
) -> list[Path]:
    """Read a data set, learn all layers and write them to a folder.

    Args:
        dataset: folder of a corpus or of LoCoMo.
        out: folder.
        rules: ``documented`` or ``observed``.
        known: how many memories; None: all.

    Returns:
        The files.

    Raises:
        InputError: a data set that cannot be read or has no memories; see `save_graphs`.
        ConfigError: see `save_graphs`.
    """
    from hebb_lab.graph.cognitive.published import DOCUMENTED, OBSERVED
    from hebb_lab.graph.stored import save_graphs

    read = _read(dataset)
    for warning in read.log.report.warnings:
        _LOG.warning("%s", warning)
    if read.memories is None or not len(read.memories):
        raise InputError("there are no memories", "Name a corpus or LoCoMo", dataset)
    chosen = {"documented": DOCUMENTED, "observed": OBSERVED}[rules]
    return list(save_graphs(out, read.memories, chosen, known).values())


def _read(folder: Path) -> Dataset:
    if (folder / LOCOMO).is_file():
        from hebb_lab.corpora.locomo import read_locomo

        return read_locomo(folder)
    from hebb_lab.corpora import read_corpus

    return read_corpus(folder)
