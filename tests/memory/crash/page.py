"""``python -m tests.memory.crash.page FOLDER``: the page of kills.json and faults.json there."""

import json
import sys
from pathlib import Path

_HEAD = """# Kills and faults

Does a store of memories lose what it acknowledged, or keep what it forgot, when its process is
killed, its disk is full or its files are altered?

    python -m tests.memory.crash --points {points} --out {folder}/kills.json
    python -m tests.memory.crash --faults --points {flips} --out {folder}/faults.json
    python -m tests.memory.crash.page {folder}

{answer}

Machine: {cores} cores, {system}, {file_system}, no GPU; Python {python}, SQLite {sqlite}, NumPy
{numpy}. Seed {seed}; the moments of kills by chance also hang on the clock. {seconds} s in all.
A part of both runs in the tests: `tests/memory/test_crashes.py`, `test_faults.py` and
`test_forget_proof.py`.

## Killed

A process takes steps (remember, recall, revise, decay, forget, reflect, compact, migrate) and says
each one that has returned. It is killed with SIGKILL, a store up to four times in its life. A store
in memory takes the same steps with the same chance; after each kill the files are searched for
everything that was forgotten, the store is opened again, checked, and must hold bit by bit what the
one in memory holds before or after the step that was under way. The files are searched again.

| scenario | tried | survived | lost | acknowledged | last kept | last undone | strings sought |
|---|---|---|---|---|---|---|---|
{kills}

*Acknowledged*: steps. *Last undone*: the step under way had left nothing, or had nothing to change.
*Strings sought*: words, entities, contexts and pieces of vectors of forgotten memories, summed over
all searches. Of the kills while a store was migrated, {version_one} left a database of version 1,
which was moved on at the next opening.

At exact points, where the process kills itself:

| scenario: before the statement, or point | tried | survived | lost |
|---|---|---|---|
{exact}

SIGKILL ends a process, not the machine: what the operating system has survives it. That commits are
also on the disk (durability=full) hangs on fsync and on a disk that does what it says, which no
kill shows.

## Altered

Each alteration is opened to write and to read. *Whole*: opened, and every bit as before (what
was hit holds nothing, or is made anew). *Refused*: an error by name. *Lost*: a wrong answer, an
error without a name, or something missing without a word. What is refused is salvaged into a new
store, in which every memory must be as it was and every one that is missing must be told.

| file | tried | whole | refused | lost | not salvageable | memories salvaged | told as lost |
|---|---|---|---|---|---|---|---|
{altered}

The store has 174 memories on 22 pages, two thirds of them on the last ones or in the WAL, so a cut
costs many of them; what stands behind the broken place of a WAL is not believed. What cannot be
salvaged has lost the pages that say what a store is.

## Disks and other processes

| fault | tried | lost |
|---|---|---|
{others}

On a full disk a change is refused by name, reading goes on, and when there is room writing does. A
forgetting on a full disk is refused too: the log needs room. A reader that is in the middle of
reading keeps the log in use; the store then says that the forgetting is unfinished, and ends it at
the next commit or close.
"""


def main(folder):
    """Write the page."""
    killed = json.loads((folder / "kills.json").read_text())
    altered = json.loads((folder / "faults.json").read_text())
    text = _HEAD.format(
        **killed["machine"], folder=folder, seed=killed["seed"],
        points=sum(row["tried"] for row in killed["kills"].values()), flips=altered["points"],
        seconds=killed["seconds"] + altered["seconds"], answer=_answer(killed, altered),
        kills="\n".join(_kill(name, row) for name, row in _with_sum(killed["kills"])),
        version_one=sum(row["in_version_one"] for row in killed["kills"].values()),
        exact="\n".join(_exact(name, row) for name, row in _with_sum(killed["exact"])),
        altered="\n".join(_altered(*one) for one in altered["faults"].items() if "whole" in one[1]),
        others="\n".join(
            f"| {name} | {row['tried'] or 'not here'} | {len(row['wrong'])} |"
            for name, row in altered["faults"].items() if "whole" not in row
        ),
    )  # fmt: skip
    (folder / "README.md").write_text(text)


def _answer(killed, altered):
    kills = [*killed["kills"].values(), *killed["exact"].values()]
    tried, survived = (sum(row[name] for row in kills) for name in ("tried", "survived"))
    rows = [row for row in altered["faults"].values() if "whole" in row]
    changed, wrong = sum(row["tried"] for row in rows), sum(len(row["wrong"]) for row in rows)
    whole, refused = (sum(row[name] for row in rows) for name in ("whole", "refused"))
    return (
        f"After {survived:,} of {tried:,} kills a store held what was acknowledged, and nothing"
        f" that was forgotten.\n{changed:,} altered files: {refused:,} refused by name, {whole:,}"
        f" without effect, {wrong} wrong, unnamed or silent."
    )


def _with_sum(rows):
    names = [name for name, value in next(iter(rows.values())).items() if isinstance(value, int)]
    whole = {name: sum(row[name] for row in rows.values()) for name in names}
    return [*rows.items(), ("all", {**whole, "lost": [x for row in rows.values()
                                                       for x in row["lost"]]})]  # fmt: skip


def _kill(name, row):
    shown = (row["tried"], row["survived"], len(row["lost"]), row["acknowledged"], row["kept"],
             row["undone"], row["sought"])  # fmt: skip
    return f"| {name} | " + " | ".join(f"{one:,}" for one in shown) + " |"


def _exact(name, row):
    return f"| {name} | {row['tried']} | {row['survived']} | {len(row['lost'])} |"


def _altered(name, row):
    shown = (row["tried"], row["whole"], row["refused"], len(row["wrong"]), row["unsalvageable"],
             row["salvaged"], row["lost"])  # fmt: skip
    return f"| {name} | " + " | ".join(f"{one:,}" for one in shown) + " |"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
