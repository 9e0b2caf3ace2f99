"""What a store does on a full or read-only disk, beside other processes, with altered files."""

import multiprocessing
import os
import shutil
import signal
import time

from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal
from hebb_lab.memory.errors import StoreBusyError, StoreError, StoreFullError, StoreReadOnlyError
from hebb_lab.memory.ids import Ids
from tests.memory.crash import alterations
from tests.memory.crash.alterations import DATABASE, DIMENSIONS, MARK, SHM, WAL, Tally
from tests.memory.crash.contents import contents_of, difference, left_in, texts_of
from tests.memory.crash.disks import limit_file_size, make_read_only, small_disk
from tests.memory.made import made_added, made_tombstones

CONTEXT = multiprocessing.get_context("spawn")
BATCH = 50


def altered_files(scratch, points, seed):
    """Every file cut off and altered, with commits in the WAL and without: name → Tally."""
    found = {}
    for wal in (True, False):
        base = scratch / f"base-{wal}"
        wanted = alterations.made_store(base, wal=wal, seed=seed)
        state = "WAL in use" if wal else "closed"
        for name in (DATABASE, WAL, MARK, SHM) if wal else (DATABASE, MARK):
            for done in (alterations.truncations, alterations.flips):
                tally = done(base, wanted, name, points, seed, scratch)
                verb = "cut off" if done is alterations.truncations else "a byte altered"
                found[f"{name}, {verb} ({state})"] = tally
    return found


def missing_files(scratch, seed):
    """Each file deleted, and the database replaced by an older copy: Tally."""
    tally = Tally()
    base = scratch / "whole"
    wanted = alterations.made_store(base, wal=True, seed=seed)
    for name in (DATABASE, WAL, MARK, SHM):
        folder = scratch / "without"
        shutil.copytree(base, folder)
        (folder / name).unlink()
        alterations.try_altered(folder, wanted, tally, f"{name} deleted")
        shutil.rmtree(folder)
    return tally


def added(number, last=None, count=BATCH):
    """The memories of one commit."""
    return made_added(
        count, seed=number, dimensions=DIMENSIONS, last=last,
        start_us=86_400_000_000 + number * 10_000_000_000,
    )  # fmt: skip


def filled(folder, longest=10_000):
    """Write until there is no room; (what was acknowledged, the error, the journal, still open)."""
    journal = DurableJournal.open(folder, DIMENSIONS)
    kept = {}
    try:
        for number in range(longest):
            more = added(number)
            journal.commit(Change(number, added=more))
            kept.update(zip(more.ids.to_bytes(), more.texts.contents, strict=True))
    except StoreError as error:
        return kept, error, journal
    raise AssertionError("the disk never was full")


def full_disk(place):
    """Fill a small disk: problems as sentences, None where none could be mounted."""
    with small_disk(place, 3000) as disk:
        if disk is None:
            return None
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(400_000))
        kept, error, journal = filled(disk / "store")
        problems = [] if isinstance(error, StoreFullError) else [f"another error: {error!r}"]
        problems += _holds(journal, kept, "on the full disk")
        problems += _forgets_on_a_full_disk(journal, kept, disk / "store")
        ballast.unlink()
        more = added(20_000)
        journal.commit(Change(20_000, added=more))
        kept.update(zip(more.ids.to_bytes(), more.texts.contents, strict=True))
        journal.close()
        again = DurableJournal.open(disk / "store")
        problems += _holds(again, kept, "after room was made")
        problems += again.check()
        again.close()
    return problems


def _forgets_on_a_full_disk(journal, kept, folder):
    """What is forgotten on a full disk is gone, or the forgetting is refused by name."""
    gone = Ids.from_bytes(sorted(kept)[:5])
    held = contents_of(journal)["memories"]
    needles = set().union(*(texts_of(held[name]) for name in gone.to_bytes()))
    needles -= set().union(
        *(texts_of(row) for name, row in held.items() if name not in set(gone.to_bytes()))
    )
    try:
        journal.commit(Change(10_000, forgotten=gone, tombstones=made_tombstones(gone)))
    except StoreFullError:
        return _holds(journal, kept, "after a forgetting that was refused")
    for name in gone.to_bytes():
        del kept[name]
    journal.compact()
    if journal.unfinished and any("WAL" in one for one in journal.unfinished):
        return []  # it says that something is left to do
    return [f"{file} still has {needle!r}" for file, needle in left_in(folder, needles)[:3]]


def _holds(journal, kept, when):
    found = {name: row[0] for name, row in contents_of(journal)["memories"].items()}
    return [] if found == kept else [f"{when}: {len(found)} memories, not {len(kept)}"]


def limited_files(scratch):
    """The same where no file may grow: a process of its own, problems as sentences."""
    hears, says = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_limited, args=(scratch / "limited", says))
    process.start()
    kept, name, problems = _heard(hears)
    process.join(30)
    journal = DurableJournal.open(scratch / "limited")
    problems += _holds(journal, kept, "where files may grow again") + journal.check()
    journal.close()
    if name not in ("StoreFullError", "StoreError"):
        problems.append(f"another error: {name}")
    return problems


def _limited(folder, says):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal = DurableJournal.open(folder, DIMENSIONS)
    limit_file_size(1_000_000)
    journal.close()
    kept, error, journal = filled(folder)
    problems = _holds(journal, kept, "where files may not grow")
    says.send((kept, type(error).__name__, problems))
    os._exit(0)  # without a close: the WAL stays


def read_only_disk(place, *, wal):
    """A store on a disk that nobody can write: problems, None where none could be mounted."""
    with small_disk(place, 8000) as disk:
        if disk is None:
            return None
        wanted = alterations.made_store(disk / "store", wal=wal)
        if not make_read_only(disk):
            return None
        problems = []
        try:
            DurableJournal.open(disk / "store").close()
            problems.append("it was opened to write")
        except StoreReadOnlyError:
            pass
        try:
            journal = DurableJournal.open(disk / "store", mode="read")
        except StoreReadOnlyError as error:
            return problems if wal else [*problems, f"it cannot be read: {error}"]
        different = difference(contents_of(journal), wanted)
        journal.close()
    return problems + ([different] if different else [])


def _heard(hears):
    """What a process says, which it does within a minute."""
    assert hears.poll(60), "a process said nothing"
    return hears.recv()


def two_writers(folder):
    """A second process opens a store to write: the name of its error."""
    journal = DurableJournal.open(folder, DIMENSIONS)
    first = added(1)
    journal.commit(Change(1, added=first))
    hears, says = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_second_writer, args=(folder, says))
    process.start()
    answer = _heard(hears)
    process.join(30)
    journal.commit(Change(2, added=added(2, first.ids.array[-1])))
    held = len(contents_of(journal)["memories"])
    journal.close()
    return [] if answer == "StoreBusyError" and held == 2 * BATCH else [f"{answer}, {held} held"]


def _second_writer(folder, says):
    try:
        DurableJournal.open(folder, DIMENSIONS).close()
        says.send("opened")
    except StoreBusyError as error:
        says.send(type(error).__name__)


def readers_beside_a_writer(folder, readers, seconds):
    """Processes read while one writes and forgets: problems, and how often they read."""
    journal = DurableJournal.open(folder, DIMENSIONS)
    journal.commit(Change(0, added=added(0)))
    hears, says = CONTEXT.Pipe(duplex=False)
    stop = CONTEXT.Event()
    running = [CONTEXT.Process(target=_read_on, args=(folder, says, stop)) for _ in range(readers)]
    for process in running:
        process.start()
    for _ in running:
        _heard(hears)
    until, number, last = time.monotonic() + seconds, 0, added(0).ids
    while time.monotonic() < until:
        number += 1
        more = added(number)
        journal.commit(Change(number, added=more, forgotten=last))
        last = more.ids
    stop.set()
    told = [_heard(hears) for _ in running]
    for process in running:
        process.join(30)
    # A reader may have held the log at the last commit; the next one ends what it hindered.
    journal.commit(Change(number + 1, facts={"readers": len(running)}))
    problems = [one for found, _ in told for one in found] + journal.check()
    journal.close()
    return problems, sum(reads for _, reads in told), number


def _read_on(folder, says, stop):
    """Each look at the store sees exactly one commit, a later one each time."""
    says.send("begun")
    problems, reads, before = [], 0, -1
    while not stop.is_set() and len(problems) < 3:
        try:
            journal = DurableJournal.open(folder, mode="read")
            held = contents_of(journal)
            journal.close()
        except StoreBusyError:
            continue
        except Exception as error:
            problems.append(f"a reader: {type(error).__name__}: {error}")
            continue
        reads += 1
        kept = {content.split("-")[0] for content, *_ in held["memories"].values()}
        if len(held["memories"]) != BATCH or len(kept) != 1:
            problems.append(f"a reader saw {len(held['memories'])} memories of {sorted(kept)}")
        if held["facts"]["sequence"] < before:
            problems.append("a reader saw an earlier commit than before")
        before = held["facts"]["sequence"]
    says.send((problems, reads))
