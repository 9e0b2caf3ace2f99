"""The process that is killed: it takes steps and says each that the store has acknowledged."""

import itertools
import os
import signal

from hebb_lab.memory.durable import opening, settling
from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.store import MemoryStore
from tests.memory.crash import steps

STATEMENTS = (
    "BEGIN", "COMMIT", "VACUUM", "PRAGMA wal_checkpoint", "DELETE FROM memories", "UPDATE texts",
    "DELETE FROM edges", "INSERT OR REPLACE INTO tombstones", "INSERT OR REPLACE INTO facts",
    "INSERT INTO memories", "DELETE FROM texts", "DELETE FROM facts", "ALTER TABLE", "CREATE",
    "DROP TABLE",
)  # fmt: skip
"""Points that lie before a statement of SQLite."""
BETWEEN = ("before the mark", "in the mark", "after the mark", "before settling", "in VACUUM")
"""Points that lie between COMMIT and the mark, while the mark is written, between the mark and the
checkpoint, and so many instructions into a VACUUM."""


def live(folder, scenario, seed, first, said, stop):
    """Open a store and take steps until killed.

    Args:
        folder: of the store.
        scenario: of `steps.RULES`.
        seed: of the life.
        first: number of the step to begin with.
        said: a connection; ``ready``, ``open`` and the number of each step that returned go in.
        stop: (point, at which time there), or None.
    """
    if stop is not None:
        _stopping_at(*stop)
    said.send("ready")
    store = MemoryStore.open(folder, rules=steps.RULES[scenario], dimensions=steps.DIMENSIONS)
    said.send("open")
    for number in itertools.count(first):
        steps.take(store, scenario, seed, number)
        said.send(str(number))


def _die():
    os.kill(os.getpid(), signal.SIGKILL)


def _stopping_at(point, count):
    """Have this process kill itself at a point, the so-manieth time that it is reached."""
    times = itertools.count(1)

    def reached():
        if next(times) == count:
            _die()

    if point in STATEMENTS or point == "in VACUUM":
        _trace(point, reached, count)
    elif point == "before settling":
        _before(settling, "settle", reached)
    elif point == "before the mark":
        _before(Mark, "write", reached)
    elif point == "in the mark":
        _before(Mark, "_create", reached, after=True)
    else:
        _before(Mark, "write", reached, after=True)


def _before(owner, name, reached, *, after=False):
    real = getattr(owner, name)

    def patched(*args, **settings):
        if not after:
            reached()
        answer = real(*args, **settings)
        if after:
            reached()
        return answer

    setattr(owner, name, patched)


def _trace(point, reached, count):
    real = opening.connected

    def traced(*args, **settings):
        db = real(*args, **settings)

        def seen(statement):
            if point == "in VACUUM":
                if statement.startswith("VACUUM"):
                    db.set_progress_handler(_die, 40 * count)
            elif statement.startswith(point):
                reached()

        db.set_trace_callback(seen)
        return db

    opening.connected = traced
