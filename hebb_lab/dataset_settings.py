"""Which log or corpus, and how it is read and cut: the group ``dataset`` of a config."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class WindowSettings:
    """How touches are cut into windows of co-activation."""

    by: str = "turn"  # turn, commit, gap, session
    gap_minutes: float = 30.0
    kinds: tuple[str, ...] = ("file", "memory")
    teach_max: int = 50  # the base arm's gate: larger windows teach nothing
    graph_max: int | None = 200  # larger windows are left out of the facts: no arm sees them


@dataclass(frozen=True)
class DatasetSettings:
    """Which log, and how it is read."""

    name: str = "simulated"
    reader: str = "simulated"
    path: str | None = None
    repo: str | None = None
    tracked_paths: str | None = None
    branch: str = "HEAD"
    keep_prompts: bool = False
    preset: str = "team"
    seed: int = 0
    activity: str | None = None  # of a world: flat, sessions, vacations
    edges: int | None = None  # of a world; null: those of its preset
    split: str | None = None
    unit: str = "turn"  # of locomo: turn, session
    index: str = "conversation"  # of locomo: conversation, pooled
    categories: tuple[int, ...] = (1, 2, 3, 4)  # of locomo's questions
    dates: bool = True  # of locomo: before the text that is searched
    windows: WindowSettings = field(default_factory=WindowSettings)
    tasks: tuple[str, ...] = ("first_touch", "all_touches")
