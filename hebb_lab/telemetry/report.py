"""What a reader saw, kept and lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

FEW_TOUCHES = 0.3  # share of calls below which something is likely amiss
READ_IN_PART = ", read in part"  # in why a file is only whole as far as it goes
READ_ALREADY = "which is read already"  # why a second way to a file is skipped
YEAR_1980_US = 315_532_800_000_000
_NAMES_NODES_ITSELF = frozenset({"git", "table", "neuralmind"})


@dataclass
class ReadReport:
    """Counts that go with an EventLog: nothing is lost silently.

    A loss has a reason (``skipped["no JSON object"]``) and up to five examples ``file:line``.
    """

    reader: str = ""
    files_read: int = 0
    bytes_read: int = 0
    files_skipped: dict[str, str] = field(default_factory=dict)  # file → why, wholly or in part
    lines_read: int = 0
    lines_salvaged: int = 0  # broken lines of which at least one record was saved
    skipped: Counter[str] = field(default_factory=Counter)  # reason → lines
    examples: dict[str, list[str]] = field(default_factory=dict)  # reason → file:line
    unknown: Counter[str] = field(default_factory=Counter)  # record types and tools not known
    duplicates: int = 0  # calls seen again in copies, resumes and snapshots
    calls: int = 0  # distinct tool calls (commits, for git)
    calls_without_result: int = 0
    results_without_call: int = 0
    calls_with_node: int = 0
    subagent_calls: int = 0
    sessions: int = 0
    events: int = 0
    first_time_us: int | None = None
    last_time_us: int | None = None
    time_quality: Counter[str] = field(default_factory=Counter)
    events_without_time: int = 0
    sessions_without_time: int = 0  # not one event with a time
    clock_steps_back: int = 0
    clock_largest_step_back_us: int = 0
    times_in_future: int = 0
    projects: Counter[str] = field(default_factory=Counter)  # cwd or repository → events
    warnings: list[str] = field(default_factory=list)

    def skip(self, reason: str, file: str, line: int) -> None:
        """Count a line that could not be used, with its place."""
        self.skipped[reason] += 1
        self._place(reason, file, line)

    def save(self, reason: str, file: str, line: int) -> None:
        """Count a broken line that was used all the same, with its place."""
        self.lines_salvaged += 1
        self._place(reason, file, line)

    def _place(self, reason: str, file: str, line: int) -> None:
        places = self.examples.setdefault(reason, [])
        if len(places) < 5:
            places.append(f"{file}:{line}")

    def mixed(self) -> list[str]:
        """A warning when several projects are in one log; a folder of one is no second one."""
        names = list(self.projects)
        inside = [n for n in names if any(n.startswith(f"{other}/") for other in names)]
        roots = [(n, c) for n, c in self.projects.most_common() if n not in inside]
        if len(roots) < 2:
            return []
        largest = ", ".join(f"{name} ({count})" for name, count in roots[:5])
        return [
            f"touches of {len(roots)} projects or working directories are in one log: {largest}."
            " A relative path may name two files; read one project at a time, or say dataset.repo"
        ]

    @property
    def touch_share(self) -> float:
        """Share of calls that touch a node, in [0, 1]."""
        return self.calls_with_node / self.calls if self.calls else 0.0

    def few_touches(self, unlisted: tuple[int, int] | None = None) -> list[str]:
        """A warning when most calls touch no node: then as a rule the repository is not known.

        Args:
            unlisted: (paths that are not in the repository that was given, all paths that calls
                name); None where none was given.
        """
        formats = set(self.reader.split("+")) - _NAMES_NODES_ITSELF
        if not formats or not self.calls or self.touch_share >= FEW_TOUCHES:
            return []
        said = f"only {self.touch_share:.0%} of the calls touch a node"
        if unlisted is None:
            said += (
                ": give dataset.repo=PATH or dataset.tracked_paths=FILE if the log's repository is"
                " not at hand"
            )
        else:
            said += (
                f"; of the {unlisted[1]:,} paths that calls name {unlisted[0]:,} are not among the"
                " tracked paths that were given, and the other calls name none that is"
            )
        return [said]

    def sentences(self) -> list[str]:
        """What was read, and what was lost, for the log: one sentence each."""
        days = ""
        if self.first_time_us is not None and self.last_time_us is not None:
            days = f" over {(self.last_time_us - self.first_time_us) / 86_400e6:.1f} days"
        calls = f", {self.calls:,} calls of which {self.touch_share:.0%} touch a node"
        what = f"read {self.files_read:,} files as {self.reader}"
        if self.reader == "git" and not self.files_read:  # a repository is no file
            what, calls = f"read {self.calls:,} commits as git", ""
        elif self.events and not self.files_read:
            what = f"built-in {self.reader}"
        said = [
            f"{what}: {self.events:,} events in"
            f" {self.sessions:,} sessions{days}{calls if self.calls else ''}"
        ]
        for reason, count in self.skipped.most_common():
            where = ", ".join(self.examples.get(reason, ())[:2])
            said.append(f"{count:,} lines skipped: {reason}" + (f" ({where})" if where else ""))
        if self.lines_salvaged:
            saved = [reason for reason in self.examples if reason not in self.skipped]
            where = "; ".join(f"{reason}: {self.examples[reason][0]}" for reason in saved[:3])
            said.append(f"{self.lines_salvaged:,} broken lines, of which a record was saved"
                        + (f" ({where})" if where else ""))  # fmt: skip
        said += self.left_out()
        if self.duplicates:
            said.append(f"{self.duplicates:,} calls seen again in copies, counted once")
        said += self._without_time()
        if self.clock_steps_back:
            back = self.clock_largest_step_back_us / 1e6
            said.append(f"the clock stepped back {self.clock_steps_back:,} times, by {back:,.3f} s"
                        " at most; the order of the log holds")  # fmt: skip
        if self.first_time_us is not None and self.first_time_us < YEAR_1980_US:
            said.append("the first time is before 1980: of a clock that was not set, or no time")
        if self.times_in_future:
            said.append(f"{self.times_in_future:,} times lie in the future, so a clock was wrong;"
                        " they are kept as they are")  # fmt: skip
        return said

    def _without_time(self) -> list[str]:
        """What stands for the times that are missing; see ``touches.touches_of``."""
        if not self.events_without_time:
            return []
        if self.events_without_time >= self.events:
            return ["no event has a time: sessions follow each other by a day"]
        said = (
            f"{self.events_without_time:,} of {self.events:,} events have no time that could be"
            " read; they take that of the event before in their session"
        )
        if self.sessions_without_time:
            said += (
                f". {self.sessions_without_time:,} sessions have no time at all: each follows"
                " the session before it by a day"
            )
        return [said]

    def left_out(self) -> list[str]:
        """How many files were skipped, and why; links to what is read anyway come last."""
        found = [item for item in self.files_skipped.items() if READ_IN_PART not in item[1]]
        return _named(sorted(found, key=lambda item: READ_ALREADY in item[1]), "skipped")

    def cut_short(self) -> list[str]:
        """A warning of files that were read as far as they are whole."""
        found = [item for item in self.files_skipped.items() if READ_IN_PART in item[1]]
        told = [(file, why.replace(READ_IN_PART, "")) for file, why in found]
        return _named(told, "read in part")

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, for report.json."""
        plain = {k: dict(v) if isinstance(v, Counter) else v for k, v in vars(self).items()}
        return {**plain, "touch_share": round(self.touch_share, 4)}


def _named(files: list[tuple[str, str]], what: str) -> list[str]:
    """A sentence on files, three of them with their reasons; none where there is no file."""
    if not files:
        return []
    named = [f"{file}: {why}" for file, why in files[:3]]
    if (more := len(files) - 3) > 0:
        named.append(f"and {more:,} more")
    return [f"{len(files):,} file{'s' * (len(files) > 1)} {what}: {'; '.join(named)}"]
