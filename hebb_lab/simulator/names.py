"""Invented file names and prompts: words that a topic's files, texts and prompts share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

SUBJECTS = (
    "account", "alert", "archive", "audit", "backup", "badge", "basket", "billing", "calendar",
    "catalog", "checkout", "cluster", "comment", "consent", "contract", "coupon", "currency",
    "dashboard", "delivery", "device", "digest", "discount", "document", "draft", "export",
    "feedback", "fixture", "forecast", "gateway", "geometry", "glossary", "group", "history",
    "identity", "import", "inbox", "invoice", "journal", "keyring", "label", "ledger", "license",
    "location", "mailer", "market", "media", "meeting", "member", "metric", "migration", "notice",
    "order", "outbox", "parcel", "payment", "permission", "picture", "pipeline", "planner",
    "policy", "portal", "preview", "pricing", "product", "profile", "project", "quota", "receipt",
    "refund", "region", "release", "report", "reservation", "review", "roster", "route", "salary",
    "schedule", "search", "session", "shipment", "signal", "snapshot", "stock", "storage",
    "survey", "tariff", "tax", "team", "tenant", "theme", "ticket", "timeline", "token", "tracker",
    "translation", "upload", "vendor", "voucher", "wallet", "warehouse", "webhook", "widget",
    "workflow",
)  # fmt: skip
PARTS = (
    "adapter", "batch", "buffer", "builder", "cache", "client", "codec", "config", "context",
    "controller", "cursor", "decoder", "diff", "driver", "encoder", "errors", "event", "factory",
    "filter", "format", "handler", "hash", "hook", "index", "iterator", "job", "layout", "limits",
    "loader", "lock", "log", "mapper", "merge", "model", "monitor", "normalizer", "options",
    "parser", "patch", "pool", "printer", "query", "queue", "reader", "registry", "render",
    "repository", "resolver", "retry", "router", "sampler", "scanner", "schema", "selector",
    "serializer", "service", "settings", "state", "store", "stream", "sync", "table", "template",
    "throttle", "trace", "transform", "types", "validator", "view", "worker", "writer",
)  # fmt: skip
HUBS = (
    "README.md", "src/main.py", "src/config.py", "CHANGELOG.md", "src/app/router.py",
    "pyproject.toml", "src/errors.py", "docs/architecture.md", "src/app/state.py",
    "tests/conftest.py", "Makefile", "src/logging.py", "src/types.py", "docs/index.md",
    "src/app/context.py", ".github/workflows/ci.yml", "src/cli.py", "src/db/schema.sql",
    "src/http/client.py", "src/app/registry.py", "docs/style.md", "src/db/session.py",
    "tests/helpers.py", "src/version.py", "src/security.py",
)  # fmt: skip
PLACES = ("src", "src", "src", "docs", "web")
SUFFIXES = {"src": ".py", "docs": ".md", "web": ".ts"}
TASKS = (
    "fix the {}", "why does the {} fail", "add a test for the {}", "rename things in the {}",
    "make the {} faster", "explain the {}", "clean up the {}", "the {} is wrong since yesterday",
    "write the {}", "move the {} out of the way", "review the {}", "document the {}",
)  # fmt: skip
BARE = ("go on", "yes, do it", "run the tests", "commit this", "looks good", "try again", "next")


def topic_words(topic: int) -> tuple[str, str]:
    """The two words of a topic; no two topics share both.

    >>> topic_words(0) != topic_words(1)
    True
    """
    size = len(SUBJECTS)
    step = 1 + topic // size  # a second round pairs the words differently
    return SUBJECTS[topic * 37 % size], SUBJECTS[(topic * 37 + 41 * step) % size]


def hub_names(count: int) -> list[str]:
    """Names of the files that belong to no topic."""
    more = [f"src/core/{part}.py" for part in PARTS]
    numbered = [f"src/core/part_{number}.py" for number in range(count)]
    return [*HUBS, *more, *numbered][:count]


def file_name(topic: int, number: int, rng: Generator) -> str:
    """Name of the number-th file of a topic, unlike all others of the topic."""
    first, second = topic_words(topic)
    place = PLACES[int(rng.integers(len(PLACES)))]
    part = PARTS[int(rng.integers(len(PARTS)))]
    stem = f"{second}_{part}" if rng.random() < 0.4 else f"{part}"
    mark = f"_{number}" if number >= len(PARTS) else ""
    return f"{place}/{first}/{stem}{mark}{SUFFIXES[place]}"


def twin_name(name: str) -> str:
    """Name of the test of a source file.

    >>> twin_name("src/wallet/parser.py")
    'tests/wallet/test_parser.py'
    """
    folders = name.split("/")
    return "/".join(["tests", *folders[1:-1], f"test_{folders[-1]}"])


def words_of(name: str) -> list[str]:
    """The words in a path, without its suffix.

    >>> words_of("src/wallet/token_parser.py")
    ['src', 'wallet', 'token', 'parser']
    """
    stem = name.rsplit(".", 1)[0]
    return [word for word in stem.replace("/", " ").replace("_", " ").split() if word]


def prompt(topic: int, focus: Sequence[str], bare: float, rng: Generator) -> str:
    """What the user says: a task around words of the files that are meant, or nothing of use.

    Each word of a meant file is said with probability 0.6, the topic's first word with 0.5.
    """
    if rng.random() < bare:
        return BARE[int(rng.integers(len(BARE)))]
    said = [word for name in focus for word in words_of(name)[1:] if rng.random() < 0.6]
    if not said or rng.random() < 0.5:
        said.insert(0, topic_words(topic)[0])
    task = TASKS[int(rng.integers(len(TASKS)))]
    return task.format(" ".join(dict.fromkeys(said)))


def text_of(name: str, topic: int, relatives: Sequence[str], rng: Generator) -> str:
    """A few invented words that stand for a file's content: its name, its topic, its relatives."""
    words = words_of(name) + (list(topic_words(topic)) if topic >= 0 else [])
    for relative in relatives:
        words += words_of(relative)[-1:]
    words += [PARTS[int(i)] for i in rng.integers(len(PARTS), size=6)]
    return " ".join(words)
