"""Files of a store cut off and altered: it is whole, it is refused by name, or the test fails."""

import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hebb_lab.errors import HebbLabError
from hebb_lab.memory.changes import Change
from hebb_lab.memory.durable import DurableJournal, salvage
from hebb_lab.memory.ids import Ids
from hebb_lab.memory.state import State
from tests.memory.crash.contents import contents_of, difference
from tests.memory.made import made_added, made_edges, made_tombstones

DATABASE, WAL, MARK = "memories.sqlite", "memories.sqlite-wal", "acknowledged"
SHM, LOCK = "memories.sqlite-shm", "writer.lock"
DIMENSIONS = 8
LONG = 40_000  # bytes of a content that fills pages of its own


@dataclass
class Tally:
    """What became of so many alterations.

    whole: opened, and every bit as it was. refused: an error by name. wrong: anything else, in
    words. salvaged, lost: memories that salvage kept, and that it named as lost, over all refused.
    """

    tried: int = 0
    whole: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    salvages: int = 0
    unsalvageable: int = 0
    salvaged: int = 0
    lost: int = 0
    errors: Counter = field(default_factory=Counter)

    def as_row(self):
        return {**self.__dict__, "wrong": self.wrong[:20], "errors": dict(self.errors)}


def made_store(folder, *, wal=True, count=60, seed=0):
    """A store with long and short contents, edges, tombstones; what it holds is handed back.

    Args:
        folder: a new one.
        wal: the last commits still stand in the WAL, as a writer that was killed leaves it.
        count: memories of each of its three commits.
        seed: of chance.
    """
    building = folder.with_name(f"{folder.name}.building")
    journal = DurableJournal.open(building, DIMENSIONS)
    _filled(journal, count, seed)
    if not wal:
        journal.close()
    wanted = contents_of(journal) if wal else None
    shutil.copytree(building, folder)
    if wal:
        journal.close()
    else:
        with_it = DurableJournal.open(building, mode="read")
        wanted = contents_of(with_it)
        with_it.close()
    shutil.rmtree(building)
    return wanted


def _filled(journal, count, seed):
    first = made_added(count, seed=seed, dimensions=DIMENSIONS)
    texts = first.texts
    contents = [
        f"{one} " + f"long {seed} " * (LONG // 8) if place % 10 == 3 else one
        for place, one in enumerate(texts.contents)
    ]
    journal.commit(Change(1, added=first._replace(texts=texts._replace(contents=contents))))
    keys = first.ids.to_bytes()
    journal.commit(Change(2, edges=made_edges(list(zip(keys[1:], keys, strict=False)))))
    gone = Ids(first.ids.array[:: max(count // 6, 1)])
    journal.commit(Change(3, forgotten=gone, tombstones=made_tombstones(gone)))
    journal.compact()
    for number in (1, 2):
        more = made_added(
            count, seed=seed + number, dimensions=DIMENSIONS, last=first.ids.array[-1],
            start_us=86_400_000_000 + number * 10_000_000_000,
        )  # fmt: skip
        journal.commit(Change(3 + number, added=more, facts={"note": number}))


def try_altered(folder, wanted, tally, what):
    """Open an altered store to write and to read, salvage what is refused; add it up.

    Args:
        folder: the altered store; it is left as it is.
        wanted: what it held.
        tally: is added to.
        what: the alteration, in words.
    """
    tally.tried += 1
    fates = []
    for mode in ("write", "read"):
        copy = folder.with_name(f"{folder.name}.{mode}")
        shutil.copytree(folder, copy)
        fate, told = fate_of(copy, wanted, mode)
        fates.append(fate)
        if fate == "wrong":
            tally.wrong.append(f"{what}, to {mode}: {told}")
        elif fate == "refused":
            tally.errors[told] += 1
        shutil.rmtree(copy)
    if fates == ["whole", "whole"]:
        tally.whole += 1
    elif "wrong" not in fates:
        tally.refused += 1
        _try_salvage(folder, wanted, tally, what)


def fate_of(folder, wanted, mode):
    """("whole", ""), ("refused", name of the error) or ("wrong", what it was)."""
    journal = None
    try:
        journal = DurableJournal.open(folder, mode=mode)
        found = contents_of(journal)
        state = State(journal.dimensions)
        for change in journal.load():
            state.apply(change)
        ids = Ids.from_bytes(list(found["memories"]))
        contents = journal.contents(ids)
    except HebbLabError as error:
        return "refused", type(error).__name__
    except Exception as error:
        return "wrong", f"{type(error).__name__}: {error}"
    finally:
        if journal is not None:
            journal.close()
    different = difference(found, wanted)
    if different is None and contents != [row[0] for row in found["memories"].values()]:
        different = "a content is another when it is asked for"
    return ("whole", "") if different is None else ("wrong", different)


def _try_salvage(folder, wanted, tally, what):
    out = folder.with_name(f"{folder.name}.salvaged")
    source = folder.with_name(f"{folder.name}.source")
    shutil.copytree(folder, source)
    try:
        told = salvage(source, out)
        journal = DurableJournal.open(out)
        found, problems = contents_of(journal), journal.check()
        journal.close()
    except HebbLabError:
        tally.unsalvageable += 1
        return
    except Exception as error:
        tally.wrong.append(f"{what}, salvage: {type(error).__name__}: {error}")
        return
    finally:
        shutil.rmtree(source)
        shutil.rmtree(out, ignore_errors=True)
    tally.salvages += 1
    kept = found["memories"]
    tally.salvaged += len(kept)
    tally.lost += len(wanted["memories"]) - len(kept)
    if problems:
        tally.wrong.append(f"{what}, salvage: the new store is not clean: {problems[:2]}")
    if len(kept) != told.kept:
        tally.wrong.append(f"{what}, salvage: told {told.kept} kept, {len(kept)} are there")
    for name, held in kept.items():
        if wanted["memories"].get(name) != held:
            tally.wrong.append(f"{what}, salvage: {name.hex()} is not what it was")
    if len(kept) < len(wanted["memories"]) and not told.losses:
        tally.wrong.append(f"{what}, salvage: silent loss")
    if not set(found["edges"]) <= set(wanted["edges"]):
        tally.wrong.append(f"{what}, salvage: an edge is not what it was")


def cut_lengths(size, points, seed):
    """Lengths to cut a file to: its ends, page limits, and by chance."""
    rng = np.random.default_rng(seed)
    set_ones = {0, 1, 16, 31, 32, 100, 4096, 16_384, size // 2, size - 1, size - 16_384}
    by_chance = rng.integers(0, max(size, 1), points).tolist()
    return sorted({length for length in (*set_ones, *by_chance) if 0 <= length < size})


def flip_places(size, points, seed, *, head=True):
    """Bytes to alter: every one of the first hundred (``head``), and by chance."""
    rng = np.random.default_rng(seed)
    front = range(min(100, size)) if head else ()
    return sorted({*front, *rng.integers(0, max(size, 1), points).tolist()})


def cut(folder, name, length):
    """Cut a file off."""
    with (folder / name).open("r+b") as file:
        file.truncate(length)


def flip(folder, name, place, mask):
    """Alter bits of one byte."""
    with (folder / name).open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ mask]))


def truncations(base, wanted, name, points, seed, scratch):
    """Every cut of one file of a store.

    Args:
        base: the store; it is left as it is.
        wanted: what it holds.
        name: of the file.
        points: cuts by chance, beside the set ones.
        seed: of chance.
        scratch: a folder to work in.
    """
    tally = Tally()
    for length in cut_lengths((base / name).stat().st_size, points, seed):
        folder = _copied(base, scratch)
        cut(folder, name, length)
        try_altered(folder, wanted, tally, f"{name} cut to {length}")
    return tally


def flips(base, wanted, name, points, seed, scratch, *, head=True):
    """Every altered byte of one file of a store; arguments as `truncations`."""
    tally = Tally()
    rng = np.random.default_rng(seed)
    for place in flip_places((base / name).stat().st_size, points, seed, head=head):
        folder = _copied(base, scratch)
        mask = int(rng.integers(1, 256))
        flip(folder, name, place, mask)
        try_altered(folder, wanted, tally, f"{name} byte {place} xor {mask}")
    return tally


def _copied(base, scratch):
    folder = Path(scratch) / "altered"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder
