"""What is known of a Claude Code session while its lines go by."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

_NO_PROMPT = (
    "<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>",
    "<local-command-caveat>", "<bash-input>", "<bash-stdout>", "<bash-stderr>",
    "<task-notification>", "<system-reminder>", "Caveat: The messages below",
    "[Request interrupted by user",
)  # fmt: skip
_NOT_THE_USER = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")


def prompt_of(line: dict[str, Any], content: Any) -> str | None:
    """The user's words in a line of type ``user``; None for a result or what the client wrote."""
    if any(line.get(flag) for flag in _NOT_THE_USER):
        return None
    if isinstance(content, list):
        blocks = [block for block in content if isinstance(block, dict)]
        texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
        if not blocks:
            return None
        content = "\n".join(texts)
    if not isinstance(content, str) or content.lstrip().startswith(_NO_PROMPT):
        return None
    return content


class Speaker(NamedTuple):
    """Who acts: the session's main agent or a subagent."""

    agent: str
    is_main: bool


_MAIN = Speaker("main", True)


class Session:
    """Turns, subagents and working directories of one session.

    Args:
        name: its id.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cwd: str | None = None
        self.base: str | None = None  # the first working directory
        self.turn = 0
        self._prompts: list[str] = []  # of turn 1, 2, …
        self._turn_of: dict[str, int] = {}  # uuid of a prompt → turn
        self._starts: list[int] = []  # when turn 1, 2, … started: never going back
        self._chain: dict[str, str] = {}  # uuid of a subagent's line → uuid of its first line

    def at(self, cwd: Any) -> None:
        """The line says where it was written."""
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
            self.base = self.base or cwd

    def prompt(self, uuid: Any, text: str, time_us: int | None) -> bool:
        """A prompt starts a turn; True when it is new (a copy of the session repeats its own)."""
        key = uuid if isinstance(uuid, str) else f"{time_us} {text}"
        if key in self._turn_of:
            self.turn = self._turn_of[key]
            return False
        self._prompts.append(text)
        self.turn = self._turn_of[key] = len(self._prompts)
        before = self._starts[-1] if self._starts else 0
        self._starts.append(max(before, time_us or 0))
        return True

    def turn_at(self, time_us: int | None) -> int:
        """The turn that had started at a time: for a subagent's own file."""
        return self.turn if time_us is None else bisect_right(self._starts, time_us)

    def words(self, turn: int) -> str | None:
        """The prompt of a turn; None before the first."""
        return self._prompts[turn - 1] if turn else None

    def speaker(self, line: dict[str, Any], own_file: str | None, agent: str | None) -> Speaker:
        """Who wrote a line.

        Args:
            line: the line; a subagent's line without an agent id is known by the first line of
                its chain of parents.
            own_file: the name of the subagent's own file, None in a session's file.
            agent: the subagent that a progress line tells of.
        """
        if agent is not None:
            return Speaker(agent, False)
        named = line.get("agentId")
        if own_file is not None:
            return Speaker(str(named or own_file.removeprefix("agent-")), False)
        if not line.get("isSidechain"):
            return _MAIN
        if named:
            return Speaker(str(named), False)
        uuid = str(line.get("uuid"))
        first = self._chain.setdefault(uuid, self._chain.get(str(line.get("parentUuid")), uuid))
        return Speaker(f"sidechain-{first[:8]}", False)
