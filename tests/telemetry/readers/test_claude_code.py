import gzip
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hebb_lab.errors import InputError
from hebb_lab.telemetry.discover import read_log
from hebb_lab.telemetry.reader import ReadOptions
from hebb_lab.telemetry.touches import touches_of

CWD = "/gone/project"


class Script:
    """Writes transcripts: every line a second after the one before."""

    def __init__(self, session: str = "s1", start: int = 0, **keys: Any) -> None:
        self.session = session
        self.clock = start
        self.keys = keys
        self.lines: list[dict[str, Any]] = []

    def add(self, kind: str, content: Any, **keys: Any) -> "Script":
        self.clock += 1
        time = f"2026-01-05T12:{self.clock // 60:02d}:{self.clock % 60:02d}.000Z"
        self.lines.append(
            {
                "type": kind, "uuid": f"{self.session}-{self.clock}", "parentUuid": None,
                "sessionId": self.session, "timestamp": time, "cwd": CWD, "isSidechain": False,
                "message": {"role": kind, "content": content}, **self.keys, **keys,
            }
        )  # fmt: skip
        return self

    def prompt(self, text: str, **keys: Any) -> "Script":
        return self.add("user", text, **keys)

    def use(self, call: str, tool: str, given: dict[str, Any], **keys: Any) -> "Script":
        return self.add("assistant", [tool_use(call, tool, given)], **keys)

    def read(self, call: str, path: str, **keys: Any) -> "Script":
        return self.use(call, "Read", {"file_path": f"{CWD}/{path}"}, **keys)

    def result(self, call: str, **keys: Any) -> "Script":
        block = {"type": "tool_result", "tool_use_id": call, "content": "SECRET", **keys}
        return self.add("user", [block], toolUseResult={"stdout": "SECRET"})

    def progress(self, agent: str, call: str, path: str) -> "Script":
        given = {"file_path": f"{CWD}/{path}"}
        message = {"content": [tool_use(call, "Read", given)]}
        self.add("progress", None)
        self.lines[-1]["data"] = {
            "type": "agent_progress", "agentId": agent,
            "message": {"type": "assistant", "timestamp": self.lines[-1]["timestamp"],
                        "message": message},
        }  # fmt: skip
        return self

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines)
        path.write_text(text)
        return path


def tool_use(call: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": tool, "input": given}


def rows(log, *columns: str) -> list[Any]:
    found = log.events.select(columns).rows()
    return [row[0] for row in found] if len(columns) == 1 else found


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Read", {"file_path": f"{CWD}/a.py"}, [("read", "a.py", "file", "arg")]),
        ("Edit", {"file_path": f"{CWD}/a.py"}, [("edit", "a.py", "file", "arg")]),
        ("MultiEdit", {"file_path": f"{CWD}/a.py"}, [("edit", "a.py", "file", "arg")]),
        ("Write", {"file_path": f"{CWD}/a.py"}, [("write", "a.py", "file", "arg")]),
        ("NotebookEdit", {"notebook_path": f"{CWD}/a.ipynb"},
         [("edit", "a.ipynb", "file", "arg")]),
        ("LSP", {"filePath": "x/a.py"}, [("read", "x/a.py", "file", "arg")]),
        ("Grep", {"pattern": "x", "path": "x/a.py"}, [("search", "x/a.py", "file", "arg")]),
        ("Glob", {"pattern": "*.py", "path": CWD}, []),
        ("Grep", {"pattern": "x"}, []),
        ("Bash", {"command": "cat known.py | wc"}, [("read", "known.py", "file", "shell")]),
        ("Bash", {"command": ["not", "text"]}, []),
        ("WebFetch", {"url": "https://user:pw@a.org/b?token=SECRET#c"},
         [("web", "https://a.org/b", "url", "arg")]),
        ("mcp__ide__getDiagnostics", {"uri": f"file://{CWD}/known.py"},
         [("mcp", "known.py", "file", "arg")]),
        ("Read", {"file_path": "/etc/SECRET.conf"}, [("read", "ext:", "external", "arg")]),
        ("Task", {"prompt": "look at known.py"}, []),
        ("Read", {"file_path": None}, []),
        ("Read", "no object", []),
    ],
)  # fmt: skip
def test_a_tool_touches_what_its_input_names(tmp_path, tool, given, expected):
    script = Script().read("first", "known.py").use("c", tool, given)
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    found = rows(log, "op", "node", "node_kind", "source")[1:]
    assert [(op, node[:4] if kind == "external" else node, kind, source)
            for op, node, kind, source in found] == expected  # fmt: skip
    assert log.report.calls == 2
    assert not log.report.unknown
    assert "SECRET" not in str(log.events.to_dicts())


def test_an_unknown_tool_and_an_unknown_line_are_counted(tmp_path):
    script = Script().read("c1", "a.py").use("c2", 'Task" >\n<parameter', {}).add("telepathy", "x")
    report = read_log(script.write(tmp_path / "s1.jsonl")).report
    assert report.unknown == {'tool Task" >\n<parameter': 1, "line type telepathy": 1}


def test_a_prompt_starts_a_turn_and_what_the_client_writes_does_not(tmp_path):
    script = Script().read("c0", "a.py").prompt("first").read("c1", "b.py").result("c1")
    script.prompt("<command-name>/clear</command-name>").prompt("meta", isMeta=True)
    script.prompt("so far …", isCompactSummary=True).prompt("[Request interrupted by user]")
    script.add("user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    script.read("c2", "c.py").add("user", [{"type": "text", "text": "second"}, {"type": "image"}])
    script.read("c3", "d.py")
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    assert rows(log, "turn") == [0, 1, 1, 2]
    hashes = [None, *(hashlib.sha256(text).hexdigest() for text in (b"first", b"first", b"second"))]
    assert rows(log, "query_sha256") == hashes
    assert rows(log, "query") == [None] * 4


def test_prompts_are_kept_only_when_asked_for_and_results_never(tmp_path):
    script = Script().prompt("please").read("c1", "a.py").result("c1")
    path = script.write(tmp_path / "s1.jsonl")
    kept = read_log(path, options=ReadOptions(keep_prompts=True))
    assert rows(kept, "query") == ["please"]
    assert "SECRET" not in str(kept.events.to_dicts())


def test_files_that_a_prompt_mentions_are_touched_when_they_are_known(tmp_path):
    paths = tmp_path / "paths.txt"
    paths.write_text("src/a.py\nmy docs/b.md\n")
    text = 'see @src/a.py:12 and @"my docs/b.md", @src/a.py. mail me@src/a.py @nobody'
    script = Script().prompt(text)
    log = read_log(
        script.write(tmp_path / "logs" / "s1.jsonl"), options=ReadOptions(tracked_paths=paths)
    )
    assert rows(log, "op", "node", "call_id", "source") == [
        ("mention", "src/a.py", None, "prompt"),
        ("mention", "my docs/b.md", None, "prompt"),
    ]


def test_calls_keep_their_outcome_and_failed_ones_stay(tmp_path):
    script = Script().read("good", "a.py").read("bad", "b.py").read("open", "c.py")
    script.result("good").result("bad", is_error=True).result("nobody asked")
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    assert rows(log, "ok") == [True, False, None]
    assert (log.report.calls_without_result, log.report.results_without_call) == (1, 1)


def test_every_touch_knows_its_place_in_the_file(tmp_path):
    script = Script().prompt("ä").read("c1", "a.py")
    path = script.write(tmp_path / "s1.jsonl")
    ((file, line, byte),) = rows(read_log(path), "file", "line", "byte")
    assert (file, line) == (str(path), 2)
    assert json.loads(path.read_bytes()[byte:])["message"]["content"][0]["id"] == "c1"


def test_subagents_are_found_in_all_places_and_counted_once(tmp_path):
    main = Script().prompt("one").read("m1", "a.py").progress("agentA", "p1", "b.py")
    main.read("i1", "c.py", isSidechain=True, uuid="side-uuid-1")
    main.read("i2", "d.py", isSidechain=True, parentUuid="side-uuid-1")
    main.prompt("two").read("m2", "e.py")
    main.write(tmp_path / "s1.jsonl")
    beside = Script(start=2, isSidechain=True, agentId="agentA").prompt("do it").read("p1", "b.py")
    beside.read("b1", "f.py").write(tmp_path / "agent-agentA.jsonl")
    below = Script("", start=5, isSidechain=True).read("n1", "g.py").read("n2", "h.py")
    below.write(tmp_path / "s1" / "subagents" / "workflows" / "wf_1" / "agent-agentB.jsonl")
    journal = tmp_path / "s1" / "subagents" / "workflows" / "wf_1" / "journal.jsonl"
    journal.write_text('{"type":"step","sessionId":"s1","uuid":"j"}\n')
    log = read_log(tmp_path)
    agents = {node: (agent, turn) for node, agent, turn in rows(log, "node", "agent", "turn")}
    assert agents == {
        "a.py": ("main", 1), "b.py": ("agentA", 1), "c.py": ("sidechain-side-uui", 1),
        "d.py": ("sidechain-side-uui", 1), "e.py": ("main", 2), "f.py": ("agentA", 1),
        "g.py": ("agentB", 2), "h.py": ("agentB", 2),
    }  # fmt: skip
    assert log.report.sessions == 1
    assert log.report.duplicates == 1
    assert log.report.subagent_calls == 6
    assert str(journal) in log.report.files_skipped


def test_a_subagent_without_an_id_stays_one_while_it_only_talks(tmp_path):
    script = Script().prompt("one").read("i1", "a.py", isSidechain=True, uuid="side-uuid-1")
    talk = [{"type": "text", "text": "I go on"}]
    script.add("assistant", talk, isSidechain=True, uuid="said", parentUuid="side-uuid-1")
    script.read("i2", "b.py", isSidechain=True, parentUuid="said")
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    assert rows(log, "agent") == ["sidechain-side-uui"] * 2


def test_a_fork_repeats_history_and_the_first_session_keeps_it(tmp_path):
    first = Script("original").prompt("one").read("c1", "a.py").read("c2", "b.py")
    first.write(tmp_path / "z.jsonl")
    fork = Script("fork").prompt("one").read("c1", "a.py").read("c2", "b.py")
    fork.prompt("two").read("c3", "c.py").write(tmp_path / "a.jsonl")
    log = read_log(tmp_path)
    assert rows(log, "session", "node", "turn") == [
        ("original", "a.py", 1), ("original", "b.py", 1), ("fork", "c.py", 2),
    ]  # fmt: skip
    assert log.report.duplicates == 2


def test_a_session_may_change_its_directory_and_its_nodes_do_not(tmp_path):
    script = Script().read("c1", "x/a.py")
    script.use("c2", "Read", {"file_path": "a.py"}, cwd=f"{CWD}/x").read("c3", "x/a.py", cwd="/b")
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    assert rows(log, "node")[:2] == ["x/a.py", "x/a.py"]
    assert set(log.report.projects) == {CWD, f"{CWD}/x", "/b"}


def test_lines_without_session_time_or_message_do_no_harm(tmp_path):
    script = Script().read("c1", "a.py").read("c2", "b.py")
    del script.lines[1]["timestamp"], script.lines[1]["uuid"], script.lines[1]["sessionId"]
    script.add("assistant", None).add("assistant", "text").add("user", [None, 3, {"type": 4}])
    script.add("progress", None).lines[-1]["data"] = "odd"
    script.add("user", "x").lines[-1]["message"] = None
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    assert rows(log, "session", "time_quality") == [("s1", "exact"), ("s1", "none")]


def test_progress_lines_are_skipped_unparsed_but_not_what_is_spliced_into_them(tmp_path):
    quiet = '{"type":"progress","data":{"type":"bash_progress"},"sessionId":"s1","uuid":"q"}'
    path = Script().read("c1", "a.py").read("c2", "b.py").write(tmp_path / "s1.jsonl")
    one, two = path.read_text().splitlines()
    path.write_text(f"{quiet}\n{one}\n{quiet}{two}\n")
    report = read_log(path).report
    assert (report.calls, report.lines_read, report.lines_salvaged) == (2, 3, 1)


def test_windows_paths_are_relative_to_the_project_like_any_other(tmp_path):
    script = Script(cwd="C:\\Users\\me\\p").use(
        "c1", "Read", {"file_path": "C:\\Users\\me\\p\\x\\a.py"}
    )
    script.use("c2", "Read", {"file_path": "/c/users/me/p/x/a.py"})
    script.use("c3", "Read", {"file_path": "x\\a.py"})
    assert rows(read_log(script.write(tmp_path / "s1.jsonl")), "node") == ["x/a.py"] * 3


def test_an_entire_store_is_read_as_one_log(tmp_path):
    script = Script()
    for number in range(3):
        script.prompt(f"prompt {number}").read(f"c{number}", f"f{number}.py")
        folder = tmp_path / f"{9 - number}a" / "bcdef" / "0"
        script.write(folder / "full.jsonl")
        (folder / "metadata.json").write_text('{"session_id": "s1"}')
        (folder / "prompt.txt").write_text("prompt")
    gemini = tmp_path / "aa" / "bcdef" / "0" / "full.jsonl"
    gemini.parent.mkdir(parents=True)
    gemini.write_text(json.dumps({"sessionId": "g", "messages": []}, indent=2))
    log = read_log(tmp_path)
    assert rows(log, "node", "turn") == [("f0.py", 1), ("f1.py", 2), ("f2.py", 3)]
    assert log.report.duplicates == 3
    assert "Gemini" in log.report.files_skipped[str(gemini)]


def test_a_transcript_of_words_only_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no touch"):
        read_log(Script().prompt("hello").write(tmp_path / "s1.jsonl"))


def test_real_cumulative_copies_give_what_the_last_one_gives(shared_data, tmp_path):
    folder = shared_data / "telemetry/claude_code/dirt/cumulative_snapshots"
    last = max(folder.iterdir(), key=lambda path: path.stat().st_size)
    together, alone = read_log(folder), read_log(last)
    same = [name for name in together.events.columns if name not in ("file", "line", "byte")]
    assert together.events.select(same).equals(alone.events.select(same))
    assert together.report.calls == alone.report.calls
    assert together.report.duplicates > 0
    assert not together.report.skipped


def test_real_spliced_lines_lose_nothing(shared_data):
    folder = shared_data / "telemetry/claude_code/dirt"
    report = read_log(folder).report
    assert report.lines_salvaged == 7
    assert not report.skipped
    assert not report.files_skipped


def test_packed_and_plain_transcripts_give_the_same_log(tmp_path):
    path = Script().prompt("one").read("c1", "a.py").write(tmp_path / "a" / "s1.jsonl")
    packed = tmp_path / "b" / "s1.jsonl.gz"
    packed.parent.mkdir()
    with path.open("rb") as source, gzip.open(packed, "wb") as target:
        shutil.copyfileobj(source, target)
    assert read_log(path).sha256() == read_log(packed).sha256()


def test_a_time_in_no_known_form_is_kept_as_missing_and_said(tmp_path):
    script = Script().read("c1", "a.py").read("c2", "b.py").read("c3", "c.py")
    script.lines[1]["timestamp"] = "05/01/2026 10:00:00"
    log = read_log(script.write(tmp_path / "s1.jsonl"))
    first, second, third = rows(log, "time_us")
    assert (second, third - first) == (None, 2_000_000)
    said = "1 of 3 events have no time that could be read; they take that of the event before"
    assert any(sentence.startswith(said) for sentence in log.report.sentences())
    touches = touches_of(log)
    at = dict(zip((touches.nodes[node] for node in touches.node), touches.time_us, strict=True))
    assert at["b.py"] == at["a.py"] + 1  # the time of the one before, a µs apart
