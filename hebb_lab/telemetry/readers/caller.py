"""Who calls tools, where and when, while the records of one session go by."""

from __future__ import annotations

import re

from hebb_lab.telemetry.clock import parse_time
from hebb_lab.telemetry.lines import Record
from hebb_lab.telemetry.naming import Node, shell_touches
from hebb_lab.telemetry.sink import EventSink

_NO_REPOSITORY = (
    "shell command whose repository is not at hand: of the files that it names, only those that "
    "were touched before are known; set dataset.repo or dataset.tracked_paths"
)
_MENTION = re.compile(r"(?<![\w@/.])@(?:\"([^\"\n]+)\"|([\w./~\\-]+))")


class Caller:
    """A session that is being read: its turn and working directory, and the place in its file.

    Args:
        sink: gets the touches.
        file: where the session is read from.
        session: its id, as far as it is known at the start.
    """

    def __init__(self, sink: EventSink, file: str, session: str) -> None:
        self.sink = sink
        self.file = file
        self.session = session
        self.agent = "main"
        self.cwd: str | None = None
        self.base: str | None = None  # the first working directory
        self.turn = 0
        self.prompt: str | None = None
        self.touched: set[str] = set()  # the nodes of the last call
        self.time_us: int | None = None
        self.time_quality = "none"
        self._line = 0
        self._byte = 0

    def at(self, record: Record, time: object) -> None:
        """A record of this session begins; ``time`` is as the log has it."""
        self.time_us, self.time_quality = parse_time(time)
        self._line, self._byte = record.line, record.byte

    def moved_to(self, cwd: object) -> None:
        """The session works in another directory."""
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
            self.base = self.base or cwd

    def prompted(self, text: str) -> None:
        """The user speaks: a turn begins. Files that are named with ``@`` are touched."""
        self.turn += 1
        self.prompt = text
        words = dict.fromkeys(
            (quoted or plain).rstrip(".") for quoted, plain in _MENTION.findall(text)
        )
        for word in words:
            node = self.sink.projects.known(word, self.cwd, self.base)
            if node is not None:
                self.give("mention", "@", node, "prompt", None)

    def call(self, call_id: object) -> bool:
        """Count a tool call; False when it was seen before."""
        self.touched.clear()
        known = call_id if isinstance(call_id, str) and call_id else None
        return self.sink.call(known, subagent=self.agent != "main")

    def path(self, op: str, tool: str, path: object, call_id: object, source: str = "arg") -> None:
        """Touch the file or folder of a path, which may lie outside the project."""
        if isinstance(path, str) and path.strip():
            node = self.sink.projects.node(path, self.cwd, self.base)
            self.give(op, tool, node, source, call_id)

    def shell(self, tool: str, command: str, call_id: object, cwd: str | None = None) -> None:
        """Touch the files of the project that a shell command names.

        Without the project's tracked paths a word cannot be told from a file; that is counted.

        Args:
            tool: the tool that ran it.
            command: as the shell got it.
            call_id: of the call.
            cwd: where it ran, when not in the session's working directory.
        """
        where = cwd or self.cwd
        if not self.sink.projects.has_index(where):
            self.sink.report.skip(_NO_REPOSITORY, self.file, self._line)
        known = self.sink.projects.known
        for op, node in shell_touches(command, lambda word: known(word, where, self.base)):
            self.give(op, tool, node, "shell", call_id)

    def give(self, op: str, tool: str, node: Node, source: str, call_id: object) -> None:
        """Touch a node; the project as a whole is none."""
        if node.name == "dir:.":
            return
        self.touched.add(node.name)
        self.sink.touch(
            session=self.session,
            node=node.name,
            op=op,
            tool=tool,
            source=source,
            file=self.file,
            line=self._line,
            byte=self._byte,
            time_us=self.time_us,
            time_quality=self.time_quality,
            agent=self.agent,
            turn=self.turn,
            call_id=call_id if isinstance(call_id, str) and call_id else None,
            node_kind=node.kind,
            query=self.prompt,
            cwd=self.cwd,
        )
