"""What was read of a corpus, what was mended, and what was lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hebb_lab.telemetry.report import ReadReport


@dataclass
class CorpusReport(ReadReport):
    """A ReadReport with the counts of a corpus.

    Losses are in ``skipped``. What was kept, but not as it was written, is in ``mended``. Both
    have up to five examples ``file:line``.
    """

    split: str = ""  # of the qrels; empty where there is one file without a name
    questions: int = 0
    judgements: int = 0  # qrels lines that were kept
    mended: Counter[str] = field(default_factory=Counter)  # reason → times, once a part of a line
    registered: Counter[str] = field(default_factory=Counter)  # types not known before → uses
    ignored: Counter[str] = field(default_factory=Counter)  # what is there and not used → times

    def mend(self, reason: str, file: str, line: int) -> None:
        """Count a line that was kept without a part of it, with its place."""
        self.mended[reason] += 1
        places = self.examples.setdefault(reason, [])
        if len(places) < 5:
            places.append(f"{file}:{line}")

    def losses(self, path: Path) -> str:
        """Why nothing of a file is left, each reason with its first line; empty where none is."""
        said = [f": {self.files_skipped[str(path)]}"] if str(path) in self.files_skipped else []
        for reason, places in self.examples.items():
            own = [place for place in places if place.startswith(f"{path}:")]
            if own and reason in self.skipped:
                line = own[0].rpartition(":")[2]
                said.append(f"; {self.skipped[reason]:,} lines skipped, from line {line}: {reason}")
        return "".join(said)

    def sentences(self) -> list[str]:
        """Those of a log, the questions, what was mended, which types are new, what is unused."""
        split = f" of split {self.split}" if self.split else ""
        said = super().sentences()
        said.insert(1, f"{self.questions:,} questions, {self.judgements:,} judgements{split}")
        for reason, count in self.mended.most_common():
            where = ", ".join(self.examples.get(reason, ())[:2])
            said.append(
                f"{count:,} lines kept in part: {reason}" + (f" ({where})" if where else "")
            )
        if self.registered:
            uses = ", ".join(f"{name} × {count:,}" for name, count in self.registered.most_common())
            said.append(f"{len(self.registered):,} types were not known and are registered: {uses}")
        said += [f"not used: {what} × {count:,}" for what, count in self.ignored.most_common()]
        return said
