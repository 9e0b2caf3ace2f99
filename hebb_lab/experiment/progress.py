"""One progress bar on a terminal, silence elsewhere; and the log of a run."""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType


class Progress:
    """Shows how far reading and the arms are.

    Args:
        wanted: True, False, or None for "only when standard error is a terminal".
    """

    def __init__(self, wanted: bool | None = None) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self._bar: Any = None
        self._job: Any = None

    def __enter__(self) -> Progress:
        if self.wanted:
            from rich import progress as bars
            from rich.console import Console

            self._bar = bars.Progress(
                bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TaskProgressColumn(),
                bars.TimeElapsedColumn(), bars.TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._bar.start()
            self._job = self._bar.add_task("starting", total=None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._bar is not None:
            self._bar.stop()

    def reading(self, file: str, done: int, total: int) -> None:
        """Told by the readers, in bytes."""
        self._show(f"reading {file.rsplit('/', 1)[-1][:40]}", done, total)

    def arms(self, arm: str, done: int, total: int) -> None:
        """Told by the loop over arms."""
        self._show(f"arm {arm}" if arm else "arms done", done, total)

    def note(self, what: str) -> None:
        """A stage without a count."""
        self._show(what, 0, None)

    def _show(self, what: str, done: int, total: int | None) -> None:
        if self._bar is not None:
            self._bar.update(self._job, description=what, completed=done, total=total)


@contextmanager
def log_to(path: Path, said_before: str) -> Iterator[None]:
    """Copy what hebb_lab logs into a file, beginning with what was said already."""
    handler = logging.FileHandler(path, mode="a", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("hebb_lab")
    handler.handle(logger.makeRecord(__name__, logging.INFO, "", 0, said_before, (), None))
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
