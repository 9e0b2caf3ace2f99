"""Processes that are killed while they write, and what their stores hold afterwards."""

import multiprocessing
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from hebb_lab.memory.durable.files.mark import Mark
from hebb_lab.memory.store import MemoryStore
from tests.memory.crash import child, steps
from tests.memory.crash.contents import contents_of, difference, left_in, texts_of, upheld_by
from tests.memory.crash.version_one import write_version_one

SCENARIOS = ("write", "forget", "revise", "compact", "reflect", "migrate")
LONGEST_S = 0.5  # from the moment that a store is open to a kill
OPENING_S = 0.08  # from the moment before it is opened to a kill
PATIENCE_S = 20.0
LIVES = 4  # kills of one store, one after the other
FIRST_STEPS = 40  # in a store of version 1
EXACT = (
    ("write", "BEGIN", (1, 3, 6)), ("write", "COMMIT", (1, 2, 4, 7)),
    ("write", "INSERT INTO memories", (1, 5, 20)), ("write", "before the mark", (1, 3, 6)),
    ("write", "in the mark", (1,)), ("write", "after the mark", (1, 3, 6)),
    ("write", "INSERT OR REPLACE INTO facts", (2, 9)), ("write", "CREATE", (1, 4)),
    ("forget", "UPDATE texts", (1, 3, 6)), ("forget", "DELETE FROM memories", (1, 3, 6)),
    ("forget", "DELETE FROM edges", (2, 5)), ("forget", "COMMIT", (7, 9, 13)),
    ("forget", "INSERT OR REPLACE INTO tombstones", (1, 4)),
    ("forget", "before settling", (2, 3, 4, 6)), ("forget", "PRAGMA wal_checkpoint", (2, 3, 5)),
    ("forget", "DELETE FROM texts", (1, 2, 3)), ("forget", "DELETE FROM facts", (1, 2, 3)),
    ("forget", "VACUUM", (1, 2, 3)), ("forget", "in VACUUM", (1, 5, 25, 100)),
    ("revise", "UPDATE texts", (1, 3, 6)), ("revise", "before settling", (2, 3, 5)),
    ("compact", "VACUUM", (1, 2)), ("compact", "in VACUUM", (2, 10, 50)),
    ("reflect", "COMMIT", (8, 10, 12)), ("reflect", "before the mark", (6, 9)),
    ("migrate", "ALTER TABLE", (1, 3)), ("migrate", "CREATE", (1, 5, 8)),
    ("migrate", "INSERT INTO memories", (1, 50, 150)), ("migrate", "DROP TABLE", (1, 2, 3, 4)),
    ("migrate", "COMMIT", (1, 2)), ("migrate", "before the mark", (1,)),
    ("migrate", "in the mark", (1,)),
)  # fmt: skip
"""(scenario, point of `child`, at which times there)."""


@dataclass
class Count:
    """What became of the kills of one scenario.

    tried: kills. survived: stores that were right afterwards. lost: sentences about the others.
    acknowledged: steps. kept, undone: kills in a step that was there, or not, afterwards.
    while_opening: kills before the store was open. sought: strings of forgotten memories that were
    looked for in all files.
    """

    tried: int = 0
    survived: int = 0
    lost: list[str] = field(default_factory=list)
    acknowledged: int = 0
    kept: int = 0
    undone: int = 0
    while_opening: int = 0
    in_version_one: int = 0
    sought: int = 0

    def as_row(self):
        return dict(self.__dict__)


class Life:
    """One store, killed again and again, beside one in memory that takes the same steps.

    Args:
        folder: of the store.
        scenario: of SCENARIOS.
        seed: of its steps and of the moments.
        count: is added to.
    """

    def __init__(self, folder, scenario, seed, count):
        self.folder, self.scenario, self.seed, self.count = folder, scenario, seed, count
        self.twin = steps.in_memory(scenario)
        self.taken = 0
        self.ever = set()
        self.rng = np.random.default_rng([seed, 77])
        if scenario == "migrate":
            self._begin_with_version_one()

    def _begin_with_version_one(self):
        """A store of version 1 with the first steps in it; none of them reflects or goes stale."""
        while self.taken < FIRST_STEPS:
            self._step()
        write_version_one(self.folder, self.twin.journal)

    def _step(self):
        steps.take(self.twin, self.scenario, self.seed, self.taken)
        self.taken += 1
        self.ever |= self._said(texts_of)

    def _said(self, strings_of):
        return set().union(*map(strings_of, contents_of(self.twin.journal)["memories"].values()))

    def kill(self, stop=None):
        """Let a process live from the next step on, kill it, and look at what it left.

        Args:
            stop: (point, time there) at which it kills itself; None: at a moment by chance.
        """
        self.count.tried += 1
        said, ended = _lived(self, stop)
        if not ended:
            self.count.lost.append(f"{self._name()}: the process ended by itself: {said[-3:]}")
            return
        acknowledged = [int(one) for one in said if one.isdigit()]
        self.count.while_opening += "open" not in said
        if self.scenario == "migrate":
            self.count.in_version_one += version_of(self.folder) == 1
        problems = []
        while acknowledged and self.taken <= acknowledged[-1]:
            self._step()
        self.count.acknowledged += len(acknowledged)
        # The step under way may write of an entity again whose memories were all forgotten.
        again = steps.entity_of(self.seed, self.taken).encode()
        problems += self._remains("before it was opened", {again})
        problems += self._reopened()
        if problems:
            self.count.lost.append(f"{self._name()}, {stop}: {'; '.join(problems)}")
        else:
            self.count.survived += 1

    def _name(self):
        return f"{self.scenario} seed {self.seed} step {self.taken}"

    def _remains(self, when, spared=frozenset()):
        needles = self.ever - self._said(upheld_by) - spared
        self.count.sought += len(needles)
        if not self.folder.is_dir():
            return []
        found = left_in(self.folder, needles)
        return [f"{when} {name} still has {needle!r}" for name, needle in found[:3]]

    def _reopened(self):
        try:
            store = MemoryStore.open(
                self.folder, rules=steps.RULES[self.scenario], dimensions=steps.DIMENSIONS
            )
        except Exception as error:
            return [f"it cannot be opened: {type(error).__name__}: {error}"]
        with store:
            problems = list(store.check())
            found = contents_of(store.journal)
            different = difference(found, contents_of(self.twin.journal))
            if different is None:
                self.count.undone += 1
            else:
                before = different
                self._step()
                different = difference(found, contents_of(self.twin.journal))
                self.count.kept += different is None
                if different is not None:
                    problems.append(f"neither as before ({before}) nor after ({different})")
            if Mark(self.folder).read() != found["facts"]["sequence"]:
                problems.append("the mark is not at the last commit")
            if not problems:
                problems += self._remains("after it was opened")
        return problems


def _lived(life, stop):
    """(what the process said, whether it was killed)."""
    context = multiprocessing.get_context(
        "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    )
    context.set_forkserver_preload(["tests.memory.crash.warm"])
    hears, says = context.Pipe(duplex=False)
    process = context.Process(
        target=child.live,
        args=(life.folder, life.scenario, life.seed, life.taken, says, stop),
        daemon=True,
    )  # fmt: skip
    process.start()
    says.close()
    said = []
    try:
        if stop is None:
            said.append(hears.recv())
            if life.scenario == "migrate" or life.rng.random() < 0.1:
                time.sleep(life.rng.uniform(0, OPENING_S))
            else:
                said.append(hears.recv())
                time.sleep(life.rng.uniform(0, LONGEST_S))
            process.kill()
        _hear(hears, said)
    except EOFError:
        pass
    process.join(PATIENCE_S)
    ended = process.exitcode == -signal.SIGKILL
    if process.is_alive():
        process.kill()
    hears.close()
    return said, ended


def _hear(hears, said):
    until = time.monotonic() + PATIENCE_S
    while hears.poll(max(until - time.monotonic(), 0)):
        said.append(hears.recv())


def killed(scratch, scenario, points, seed):
    """Kill processes of a scenario at so many moments by chance.

    Args:
        scratch: an empty folder.
        scenario: of SCENARIOS.
        points: how many kills.
        seed: of everything but the clock of the machine.
    """
    count = Count()
    lives = 1 if scenario == "migrate" else LIVES
    for number in range(-(-points // lives)):
        life = Life(scratch / f"{scenario}{number}", scenario, seed + number, count)
        for _ in range(min(lives, points - lives * number)):
            life.kill()
        shutil.rmtree(life.folder, ignore_errors=True)
    return count


def killed_at(scratch, scenario, point, times, seed):
    """Have a process kill itself at a point, each time in a store of its own.

    Args:
        scratch: an empty folder.
        scenario: of SCENARIOS.
        point: of `child.STATEMENTS` and `child.BETWEEN`.
        times: at the first, second, … time that it is reached.
        seed: of the steps.
    """
    count = Count()
    for number in times:
        life = Life(scratch / f"exact{number}", scenario, seed, count)
        life.kill((point, number))
        shutil.rmtree(life.folder, ignore_errors=True)
    return count


def version_of(folder):
    """The version of the tables of a store; it is read from a copy, with its WAL."""
    copy = folder.with_name(f"{folder.name}.copy")
    shutil.copytree(folder, copy)
    try:
        with closing(sqlite3.connect(copy / "memories.sqlite")) as db:
            return db.execute("PRAGMA user_version").fetchone()[0]
    finally:
        shutil.rmtree(copy)
