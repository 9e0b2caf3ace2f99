"""Claude Code transcripts of any size, made line by line, with the sizes of real ones."""

import json

import numpy as np

from hebb_lab.telemetry.clock import parse_time

CWD = "/home/dev/project"
START_US = parse_time("2026-01-05T12:00:00Z")[0]
# Shares of 100,000 real lines; half of the assistant's lines are calls, nearly all of the user's
# are their results.
KINDS = {
    "call": 0.22, "talk": 0.20, "result": 0.205, "prompt": 0.025, "bash_progress": 0.165,
    "hook_progress": 0.085, "agent_progress": 0.06, "snapshot": 0.03, "system": 0.01,
}  # fmt: skip
# Lengths of real lines: median 1 kB, 95 % below 15 kB, 99 % below 50 kB, at most 2.1 MB. The
# lognormal with the first two has its 99 % at 46 kB.
MEDIAN, SIGMA, LONGEST = 1000, np.log(15) / 1.645, 2_100_000
WORDS = 'the weights fade, "half" a life\tper edge\n    return weight * 2 ** (-age / half_life)\n'


def realistic_lines(count, seed=0):
    """Lines of all kinds with the shares and lengths of real ones."""
    random = np.random.default_rng(seed)
    kinds = random.choice(list(KINDS), count, p=list(KINDS.values()))
    lengths = np.minimum(random.lognormal(np.log(MEDIAN), SIGMA, count), LONGEST).astype(int)
    files = random.zipf(1.4, count) % 600
    for number in range(count):
        yield _line(number, kinds[number], int(lengths[number]), int(files[number]), WORDS)


def long_lines(size, length=2_000_000):
    """Calls that write and results that show: lines of one length, some of wide characters."""
    for number in range(size // length):
        kind = ("call", "result")[number % 2]
        yield _line(number, kind, length, number % 600, WORDS if number % 3 else WORDS + "→ ½ é\n")


def write(path, lines):
    """Write the lines; the number of bytes."""
    with path.open("wb") as file:
        return sum(file.write(line) for line in lines)


def _line(number, kind, length, file, words):
    """One line of about the wanted length: what is spoken fills it up."""
    path = f"{CWD}/src/package_{file % 12}/module_{file}.py"
    time = str(np.datetime64(START_US + number * 4_000_000, "us"))[:23] + "Z"
    line = {
        "parentUuid": f"uuid-{number - 1:012d}-0000-0000", "isSidechain": False,
        "userType": "external", "cwd": CWD, "sessionId": f"session-{number // 300:06d}",
        "version": "2.1.40", "gitBranch": "main",
    }  # fmt: skip
    filling = words * max(1, (length - 600) // len(words))
    line |= _body(number, kind, path, filling)
    line |= {"uuid": f"uuid-{number:012d}-0000-0000", "timestamp": time}
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _body(number, kind, path, filling):
    call = f"toolu_{number - number % 2:012d}"
    if kind == "call":
        given = {"file_path": path, "content": filling}
        return _assistant({"type": "tool_use", "id": call, "name": "Write", "input": given})
    if kind == "talk":
        return _assistant({"type": "text", "text": filling})
    if kind == "result":
        half = filling[: len(filling) // 2]
        block = {"tool_use_id": call, "type": "tool_result", "content": half}
        return _user([block]) | {"toolUseResult": {"type": "text", "file": {"content": half}}}
    if kind == "prompt":
        return _user(filling)
    if kind == "snapshot":
        kept = {"trackedFileBackups": {path: {"text": filling}}}
        return {"type": "file-history-snapshot", "messageId": call, "snapshot": kept}
    if kind == "system":
        return {"type": "system", "subtype": "turn_duration", "content": filling}
    data = {"type": kind, "output": filling, "toolUseID": call}
    if kind == "agent_progress":
        block = {"type": "tool_result", "tool_use_id": call, "content": filling}
        data = {"type": kind, "agentId": "a1", "message": _user([block])}
    return {"type": "progress", "data": data}


def _assistant(block):
    message = {"model": "m", "id": "msg_1", "type": "message", "role": "assistant",
               "content": [block], "usage": {"input_tokens": 1, "output_tokens": 2}}  # fmt: skip
    return {"message": message, "requestId": "req_1", "type": "assistant"}


def _user(content):
    return {"type": "user", "message": {"role": "user", "content": content}}
