"""An open store: its journal, its state, its rules, and how they are held together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

from hebb_lab.errors import ConfigError
from hebb_lab.memory.changes import Change, Journal
from hebb_lab.memory.errors import StoreError
from hebb_lab.memory.published import DOCUMENTED
from hebb_lab.memory.rules import checked_rules
from hebb_lab.memory.state import State
from hebb_lab.threads import Shared

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from hebb_lab.memory.operations import Embed
    from hebb_lab.memory.rules import MemoryRules
    from hebb_lab.memory.subscription import Subscriptions
    from hebb_lab.recall.embedders import Embedder


class OpenStore(Shared):
    """A journal and the state that follows from it; what happens to memories is `MemoryStore`.

    Args:
        journal: keeps the changes; what it holds is loaded.
        rules: by which memories live.
        embedder: makes vectors of texts; None: vectors are given, or memories have none.
        rng: chance of ids and salts; None: of the operating system.
        writable: False where the journal was opened for reading.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        rules: MemoryRules = DOCUMENTED,
        embedder: Embedder | None = None,
        rng: np.random.Generator | None = None,
        writable: bool = True,
    ) -> None:
        super().__init__()
        self.journal = journal
        self.rules = checked_rules(rules)
        self.embedder = embedder
        self.rng = np.random.default_rng() if rng is None else rng
        self.writable = writable
        self._state = _loaded(journal)
        self._in_doubt: int | None = None  # commits before a change whose end was not seen
        self._subscriptions: Subscriptions | None = None
        self._only_read = False  # while a writer of insights works on what the state is now

    @classmethod
    def open(
        cls, path: str | Path, *, rules: MemoryRules = DOCUMENTED, dimensions: int | None = None,
        embedder: Embedder | None = None, mode: str = "write", damaged: str = "refuse",
        rng: np.random.Generator | None = None,
    ) -> Self:  # fmt: skip
        """A store in a folder, made where there is none.

        Args:
            path: the folder.
            rules: of the store; they are not kept in it.
            dimensions: length of vectors; None: as the store has it, or the embedder gives it.
            embedder: see the class.
            mode: write (one at a time) or read (any number beside it); a reader finds what was
                there when it was opened, even if forgotten since, until it calls `refresh`.
            damaged: refuse, or keep what is whole.
            rng: see the class.

        Raises:
            StoreError: see `DurableJournal.open`.
        """
        from hebb_lab.memory.durable import DurableJournal

        checked_rules(rules)
        if dimensions is None and embedder is not None:
            dimensions = int(np.shape(embedder.encode(["length"]))[1])
        journal = DurableJournal.open(
            path, dimensions, mode=mode, damaged=damaged, durability=rules.durability
        )
        try:
            return cls(journal, rules=rules, embedder=embedder, rng=rng, writable=mode == "write")
        except BaseException:
            journal.close()
            raise

    @classmethod
    def in_memory(
        cls, dimensions: int, *, rules: MemoryRules = DOCUMENTED, embedder: Embedder | None = None,
        rng: np.random.Generator | None = None,
    ) -> Self:  # fmt: skip
        """A store that ends with the process."""
        from hebb_lab.memory.volatile import VolatileJournal

        return cls(VolatileJournal(dimensions), rules=rules, embedder=embedder, rng=rng)

    def commit(self, change: Change) -> NDArray[np.int64]:
        """Keep a change and apply it; when it raises the state is as the journal has it.

        Returns:
            [n] rows of the memories that it added.

        Raises:
            StoreError: a writer of insights is at work, or the journal refuses the change.
        """
        self._check_may_change()
        self._catch_up()
        self._in_doubt = self.journal.facts["sequence"]
        self.journal.commit(change)
        rows = self._state.apply(change)
        self._in_doubt = None
        self._tell(change.at_us)
        return rows

    @property
    def state(self) -> State:
        """What follows from all that the journal holds.

        After a write that was interrupted it is read anew when it is asked for, where the journal
        has kept the change; rows may be other ones then.
        """
        self._catch_up()
        return self._state

    def _catch_up(self) -> bool:
        """Have the state follow the journal where a change was kept and not wholly applied.

        Returns:
            Whether it was read anew.
        """
        if self._in_doubt is None:
            return False
        kept = bool(self.journal.facts["sequence"] > self._in_doubt)
        if kept:
            self._state = _loaded(self.journal)
        self._in_doubt = None
        return kept

    def _check_may_change(self) -> None:
        if self._only_read:
            raise StoreError(
                "a writer of insights may read the store, not change it", "Change it afterwards"
            )

    @property
    def subscriptions(self) -> Subscriptions:
        """The open subscriptions; each change is told to them."""
        if self._subscriptions is None:
            from hebb_lab.memory.subscription import Subscriptions

            self._subscriptions = Subscriptions()
        return self._subscriptions

    def _tell(self, at_us: int) -> None:
        if self._subscriptions is not None:
            self._subscriptions.meet(at_us)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors [n, d] of texts; zero for one of blanks.

        Raises:
            ConfigError: the store has no embedder, or one of another length.
        """
        from hebb_lab.recall.vectors import embed

        if self.embedder is None:
            raise ConfigError("the store has no embedder", "Give vectors, or open it with one")
        made = embed(self.embedder, texts, None)
        if len(texts) and made.shape[1] != self.state.dimensions:
            raise ConfigError(
                f"embedder {self.embedder.name} gives {made.shape[1]} numbers, the store has"
                f" {self.state.dimensions}", "Open the store with the embedder that it was made by",
            )  # fmt: skip
        return made

    @property
    def _embed(self) -> Embed | None:
        return None if self.embedder is None else self.embed

    def frame(self) -> pl.DataFrame:
        """Memories as a polars table: id, entity and numbers."""
        return self.state.frame()

    def check(self) -> list[str]:
        """Everything that is wrong, as sentences; none where all is well."""
        found: list[str] = self.journal.check(dangling_edges=self.rules.dangling_edges)
        held, alive = self.journal.facts["memories"], int(np.count_nonzero(self.state.alive))
        if held != alive:
            found.append(f"the journal holds {held} memories, the state {alive}")
        return found

    def compact(self) -> None:
        """Give back what is free: nothing that was forgotten is left in any file."""
        self.journal.compact()

    def export(self, folder: str | Path) -> None:
        """Write all of it as Parquet files; ``python -m hebb_lab.memory import`` reads them.

        Raises:
            StoreError: the folder holds an exported store, or cannot be written.
        """
        from hebb_lab.memory.parquet import export

        export(self.journal, folder)

    def refresh(self) -> bool:
        """Load what a writer has kept since; rows may be other ones then.

        Returns:
            Whether there was anything.
        """
        self._check_may_change()
        if not self._catch_up():
            if not self.journal.changed():
                return False
            self._state = _loaded(self.journal)
        self._tell(self.state.clock_us)
        return True

    def close(self) -> None:
        """Let go of subscriptions, files and locks."""
        if self._subscriptions is not None:
            self._subscriptions.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()


def _loaded(journal: Journal) -> State:
    """The state that follows from all that a journal holds."""
    state = State(journal.dimensions)
    for change in journal.load():
        state.apply(change)
    return state
