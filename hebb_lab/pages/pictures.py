"""Figures of a page: drawn where a format of figures is wanted, saved, and shown below the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.runs.layout import write_atomic
from hebb_lab.runs.rebuild import FIGURES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from hebb_lab.runs.rebuild import Options


def pictures(
    figures: Callable[[], Iterator[tuple[str, Figure]]], out: Path, options: Options
) -> list[str]:
    """Draw and save; the names of what was drawn. Old ones are gone with the ablation's.

    Args:
        figures: gives (name, figure); called only where a format of figures is wanted.
        out: the folder whose ``figures/`` they go to.
        options: formats.
    """
    endings = [ending for ending in options.formats if ending in FIGURES]
    if not endings:
        return []
    from hebb_lab.plots.style import save

    names = []
    for name, figure in figures():
        save(figure, out / "figures" / name, endings)
        names.append(name)
    return names


def write_page(path: Path, text: str, names: Sequence[str], options: Options) -> None:
    """Write a page of Markdown with its pictures, where Markdown is wanted.

    Args:
        path: of the page.
        text: without pictures.
        names: of figures, which lie in ``figures/`` beside it.
        options: formats.
    """
    if "md" in options.formats:
        shown = next((ending for ending in ("png", "svg") if ending in options.formats), None)
        below = [f"![{name}](figures/{name}.{shown})\n" for name in names if shown]
        write_atomic(path, "\n".join([text, *below]))
