"""What a data card says, and how it is told from the data itself."""

import gzip
import hashlib
import json
from pathlib import Path

from omegaconf import OmegaConf

CARDS = Path(__file__).resolve().parents[1] / "data" / "cards"
KEYS = {"name", "what", "path", "source", "licence", "changes", "used_for", "sha256", "counts"}


def card_of(path):
    """The card as plain values."""
    return OmegaConf.to_container(OmegaConf.load(path))


def files_of(path):
    """The data set's files, by name: itself, or all files below a folder."""
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def sha256_of(path):
    """SHA-256 of a file; of a folder, that of its sorted lines `sha256  name`."""
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    lines = sorted(
        f"{sha256_of(file)}  {file.relative_to(path).as_posix()}\n" for file in files_of(path)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def counts_of(path, kind):
    """What a card counts of a kind of data, told without the product's readers."""
    files = files_of(path)
    unpacked = [_unpacked(file) for file in files]
    lines = [line for data in unpacked for line in data.splitlines()]
    counts = {"files": len(files)}
    if kind == "sessions":
        return counts | {"lines": len(lines), "unpacked_bytes": sum(map(len, unpacked))}
    if kind == "commits":
        commits = [json.loads(line) for line in lines]
        paths = {path for commit in commits for _, path in commit["f"]}
        return counts | {"commits": len(commits), "paths": len(paths)}
    if kind == "history":
        rows = [line.split(b"\t") for line in lines if not line.startswith(b"#")]
        return counts | {"commits": len({row[0] for row in rows}), "rows": len(rows),
                         "paths": len({row[2] for row in rows})}  # fmt: skip
    if kind == "events":
        rows = [line.split(b"\t") for line in lines if not line.startswith(b"#")]
        return counts | {"sessions": len({row[1] for row in rows}), "touches": len(rows),
                         "nodes": len({row[7] for row in rows})}  # fmt: skip
    if kind == "corpus":
        rows = {
            file.name: len(data.splitlines()) for file, data in zip(files, unpacked, strict=True)
        }
        return counts | {"documents": rows["corpus.jsonl"], "questions": rows["queries.jsonl"],
                         "judgements": rows["qrels.tsv"] - 1}  # fmt: skip
    if kind == "locomo":
        whole = json.loads(next(d for f, d in zip(files, unpacked, strict=True)
                                if f.name == "locomo10.json"))  # fmt: skip
        sessions = [turns for one in whole for turns in one["conversation"].values()
                    if isinstance(turns, list)]  # fmt: skip
        return counts | {"conversations": len(whole), "sessions": len(sessions),
                         "turns": sum(map(len, sessions)),
                         "questions": sum(len(one["qa"]) for one in whole)}  # fmt: skip
    return counts | {"paths": len(lines)} if kind == "paths" else counts


def _unpacked(file):
    data = file.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
