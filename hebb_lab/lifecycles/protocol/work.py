"""The arms of a run on lives of memories: replayed life by life, asked, judged, kept."""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import InputError
from hebb_lab.lifecycles.protocol import keep
from hebb_lab.lifecycles.protocol.lives import answered, readings_of
from hebb_lab.lifecycles.protocol.papers import sittings_of
from hebb_lab.lifecycles.protocol.said import asked_of, question_frame
from hebb_lab.runs import PER_QUERY_SCHEMA
from hebb_lab.runs.layout import as_json, write_atomic

if TYPE_CHECKING:
    from pathlib import Path

    from hebb_lab.evaluation.query_set import Task
    from hebb_lab.experiment.prepare import Prepared
    from hebb_lab.experiment.settings import Settings
    from hebb_lab.lifecycles.arms import Life, MemoryArm
    from hebb_lab.lifecycles.protocol.floors import Floors
    from hebb_lab.lifecycles.protocol.lives import Lives
    from hebb_lab.lifecycles.protocol.papers import Sitting
    from hebb_lab.lifecycles.protocol.tuning import Pick
    from hebb_lab.lifecycles.replay.examine import Examined
    from hebb_lab.lifecycles.replay.living import Living
    from hebb_lab.lifecycles.replay.story import Story
    from hebb_lab.runs import RunWriter

log = logging.getLogger(__name__)
Told = Callable[[str, int, int], None]
STEPS = 1000  # of progress in one life
NAMED = 4  # arms of a life in its line
QUESTIONS, RETENTION, GROWTH = "questions.parquet", "retention.json", "growth.json"


@dataclass(frozen=True)
class MemoryWork:
    """Arms that recall from a store after a life, on every task.

    Args:
        prepared: the dataset.
        settings: of the run.
        tasks: of the data, name → task.
        story: what happens.
        arms: in the order of tables.
        lives: replays the story.
        floors: orders without a memory model.
        embedder: that the run has.
        in_lines: whether each life that is over is a line of the log, where no bar shows it.
    """

    prepared: Prepared
    settings: Settings
    tasks: Mapping[str, Task]
    story: Story
    arms: Sequence[MemoryArm]
    lives: Lives
    floors: Floors
    embedder: str
    in_lines: bool = True
    columns: Mapping[str, Any] = field(default_factory=lambda: PER_QUERY_SCHEMA)

    @cached_property
    def sittings(self) -> list[Sitting]:
        """Every task of the data at every horizon."""
        return sittings_of(self.tasks, self.story.exam, self.settings.memory.horizons)

    def life_of(self, arm: MemoryArm) -> Life:
        """How the arm's store learns here: where nothing is edited, nothing is revised."""
        life, start = arm.life(), arm.start.rules
        edited = self.story.edited > 0
        if edited or arm.whole:
            return life._replace(revises=life.revises and edited)
        rules = life.rules.change(
            revise=start.revise, revise_context=start.revise_context,
            revisions_kept=start.revisions_kept,
        )  # fmt: skip
        return life._replace(rules=rules, revises=False)

    @cached_property
    def shared(self) -> dict[Life, list[MemoryArm]]:
        """Each way of learning with the arms that are read off it, in the order of the arms."""
        found: dict[Life, list[MemoryArm]] = {}
        for arm in self.arms:
            if arm.method == "recall":
                found.setdefault(self.life_of(arm), []).append(arm)
        return found

    def run(self, writer: RunWriter, progress: Told) -> None:
        """Run the arms that are not finished yet; what fails is kept, the others go on."""
        finished, total = writer.finished_arms(), STEPS * len(self.shared)
        if finished:
            log.info("%d of %d arms were finished before", len(finished), len(self.arms))
        self._find_lives(writer)
        for arm in self.arms:
            if arm.name not in finished and arm.method != "recall":
                self._floor(arm, writer)
        for number, (life, arms) in enumerate(self.shared.items()):
            own = [arm for arm in arms if arm.name not in finished]

            def told(done: int, of: int, at: int = number, name: str = arms[0].name) -> None:
                progress(name, STEPS * at + STEPS * done // max(of, 1), total)

            if own or not self._path(writer, life).exists():
                start = time.perf_counter()
                self._live(life, own, writer, told)
                if self.in_lines:
                    log.info("life %d of %d over after %.1f s; read off it: %s", number + 1,
                             len(self.shared), time.perf_counter() - start, named(own))  # fmt: skip
        progress("", total, total)

    def _floor(self, arm: MemoryArm, writer: RunWriter) -> None:
        try:
            start = time.perf_counter()
            sheet = self.floors.answer(arm.method, self.sittings, len(self.story.exam))
            keep.keep(self, arm, writer, sheet, {"seconds": time.perf_counter() - start})
        except Exception as error:
            keep.give_up(arm, writer, error)

    def _live(
        self, life: Life, arms: Sequence[MemoryArm], writer: RunWriter,
        told: Callable[[int, int], None],
    ) -> None:  # fmt: skip
        """One life: choose what is tuned, replay it, and keep every arm that is read off it."""
        picks = self._picks(life, [arm for arm in arms if arm.tuned is not None], writer, told)
        ready = [arm for arm in arms if arm.tuned is None or arm.name in picks]
        try:
            start = time.perf_counter()
            wanted = [one for arm in ready for one in readings_of(arm, picks.get(arm.name))]
            readings = list(dict.fromkeys(wanted))
            living, found = self.lives.replayed(life, self.story.exam, readings, told)
            facts = self.lives.facts(living, time.perf_counter() - start)
            names = [arm.name for arm in self.shared[life]]
            facts = {"life": names[0], "arms": names, **facts}
            write_atomic(self._path(writer, life), as_json(facts))
        except Exception as error:
            for arm in ready:
                keep.give_up(arm, writer, error)
            return
        for arm in ready:
            pick = picks.get(arm.name)
            self._keep(arm, answered(found, arm, pick), living, pick, writer)

    def _picks(
        self, life: Life, arms: Sequence[MemoryArm], writer: RunWriter,
        told: Callable[[int, int], None],
    ) -> dict[str, Pick]:  # fmt: skip
        """What practice chooses; arms for which it cannot are skipped or failed."""
        if not arms:
            return {}
        try:
            return self.lives.picks(life, arms, told)
        except InputError as reason:  # one cluster: nothing to choose on
            log.info("%s skipped: %s", ", ".join(arm.name for arm in arms), reason)
            for arm in arms:
                writer.skip_arm(keep.describe(arm), str(reason))
        except Exception as error:
            for arm in arms:
                keep.give_up(arm, writer, error)
        return {}

    def _keep(
        self, arm: MemoryArm, examined: Examined, living: Living, pick: Pick | None,
        writer: RunWriter,
    ) -> None:  # fmt: skip
        try:
            if examined.error is not None:
                raise examined.error
            held = living.store.state.byte_count() / max(len(self.story.items), 1)
            told = None if pick is None else pick.told(self.settings.memory.tuning.metric)
            facts = {"seconds": examined.seconds, "bytes_per_memory": round(held, 1),
                     "failures": dict(examined.failures), "pick": told}  # fmt: skip
            keep.keep(self, arm, writer, examined.sheet, facts)
        except Exception as error:
            keep.give_up(arm, writer, error)

    def _find_lives(self, writer: RunWriter) -> None:
        """What an interrupted run, or a stored one with failed arms, kept of lives."""
        stored, own = writer.folder / "lives", writer.partial / "lives"
        own.mkdir(exist_ok=True)
        for path in stored.glob("*.json"):
            if not (own / path.name).exists():
                shutil.copy2(path, own / path.name)

    def _path(self, writer: RunWriter, life: Life) -> Path:
        return writer.partial / "lives" / f"{life.key()}.json"

    def told_lives(self, writer: RunWriter) -> list[dict[str, Any]]:
        """What was kept of each life, in the order of the arms."""
        paths = [self._path(writer, life) for life in self.shared]
        return [json.loads(path.read_text("utf-8")) for path in paths if path.exists()]

    def assemble(
        self, writer: RunWriter, result: Mapping[str, Any], files: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """result.json, per_query.parquet, run.trec, questions.parquet, retention.json, growth.json.

        That growth cannot be measured fails no run.
        """
        question_frame(self.story).write_parquet(writer.partial / QUESTIONS, compression="zstd")
        lives = self.told_lives(writer)
        curves = [{**life.pop("retention"), "life": life["life"]} for life in lives]
        more = {**files, "qrels.trec": keep.qrels(self), RETENTION: _lines(curves),
                GROWTH: as_json(self._growth())}  # fmt: skip
        names = [arm.name for arm in self.arms]
        stored = writer.assemble({**result, **asked_of(self, lives)}, names, more)
        if stored["status"] == "ok":
            shutil.rmtree(writer.partial / "lives")  # result.json and retention.json hold the same
        return stored

    def _growth(self) -> dict[str, Any]:
        from hebb_lab.lifecycles.protocol.growth import growth_of

        if not self.settings.memory.growth:
            return {}
        try:
            return growth_of(self.story.items, self.arms[0].start.rules)
        except Exception as error:
            log.warning("growth was not measured: %s: %s", type(error).__name__, error)
            return {}


def _lines(curves: Sequence[Mapping[str, Any]]) -> str:
    """A JSON list with one curve a line: thousands of numbers."""
    return "[\n" + ",\n".join(json.dumps(curve, allow_nan=False) for curve in curves) + "\n]\n"


def named(arms: Sequence[MemoryArm]) -> str:
    """The first arms of a life by name, and how many more there are."""
    names = [arm.name for arm in arms[:NAMED]]
    more = len(arms) - len(names)
    return ", ".join([*names, *([f"{more} more"] if more else [])]) or "nothing"
