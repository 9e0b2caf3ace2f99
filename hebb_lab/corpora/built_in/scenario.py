"""The page's story: "why is the app slow?", and what each layer adds to the answer.

Source: "Memory Hebbian" (Spector Memory), "Scenario: Multi-Signal Recall".

Direct search finds one memory, of application latency. Layer 1 finds the settings of the connection
pool, which were written together with it again and again; layer 2 follows the session from there to
the timeouts and the retries; layer 3 finds the migration through the entity DatabaseService; layer
4 goes from the tag latency over prometheus and p99 to the thresholds of alerts, which share no
entity, word or session with what direct search found.

The fan factor 1/√(memories) closes the page's own gate of 0.7 on layer 4: a tag that goes together
with another and leads to a third memory has two memories at least, so 1/√2 × strength is the most.
`GATE` is a threshold at which the story is as the page tells it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hebb_lab.corpora.built_in.building import Asking, Note, Together, dataset_of

if TYPE_CHECKING:
    from hebb_lab.corpora.attributes import Mention
    from hebb_lab.records import Dataset

QUESTION = "why is the app slow?"
DIRECT = "application-latency"
FOUND_BY = {
    "hebbian": ("connection-pool",),
    "chain": ("connection-pool", "timeout-config", "retry-backoff"),
    "entities": ("database-migration",),
    "hyperedges": ("database-migration",),
    "cross_capture": ("prometheus-alerts",),
}
"""Layer → the memories of the answer that it finds from the one that direct search found."""
GATE = 0.3
"""A ``gate_threshold`` between what the story needs (0.38) and what it must not find (0.28)."""

_START_US = 1_750_000_000_000_000  # 2025-06-15
_MINUTE_US = 60_000_000
_SERVICE: Mention = ("DatabaseService", "TECHNOLOGY")
_TIMES_TOGETHER = 5

# session → (name, text, tags, entities), in the order of writing
_SESSIONS: dict[str, tuple[tuple[str, str, tuple[str, ...], tuple[Mention, ...]], ...]] = {
    "monitoring": (
        ("grafana-board", "A board shows quantiles of response times for each service.",
         ("latency", "prometheus", "p99"), ()),
        ("scrape-interval", "Histograms are scraped every fifteen seconds now.",
         ("latency", "prometheus", "p99"), ()),
        ("log-volume", "Half of the logs are debug lines that nobody reads.", ("logging",), ()),
    ),
    "alerting": (
        ("prometheus-alerts", "Prometheus alerting thresholds for p99 latency",
         ("prometheus", "p99"), ()),
        ("pager-rota", "The rota of the pager changes on Mondays.", ("on-call",), ()),
    ),
    "migration": (
        ("database-migration", "She moved all tables to the new cluster over the weekend.",
         ("migration",),
         (("Alice", "PERSON"), ("Project Alpha", "PROJECT"), _SERVICE)),
        ("backup-check", "Backups were restored once as a trial.", ("backup",), ()),
    ),
    "kitchen": (
        ("lunch", "Lunch orders close at eleven.", ("office",), ()),
        ("plants", "Somebody waters the plants on Fridays.", ("office",), ()),
    ),
    "incident": (
        (DIRECT, "Users say the app is slow: pages take eight seconds to answer.",
         ("latency", "performance"), (_SERVICE,)),
        ("connection-pool", "Connection pool settings: at most ten connections, none idle.",
         ("pooling",), ()),
        ("timeout-config", "Timeout config of the gateway is thirty seconds.", ("timeouts",), ()),
        ("retry-backoff", "Retry backoff doubles from one hundred milliseconds.", ("retries",), ()),
    ),
    "planning": (
        ("roadmap", "Search by voice is on the map for autumn.", ("roadmap",), ()),
        ("hiring", "Two interviews for the mobile team are set.", ("hiring",), ()),
    ),
}  # fmt: skip


def scenario() -> Dataset:
    """The story: 15 memories in six sessions, one question, six memories of gold."""
    notes: dict[str, Note] = {}
    time_us = _START_US
    for session, rows in _SESSIONS.items():
        for name, text, tags, mentions in rows:
            notes[name] = Note(text, tags, mentions, name, session, time_us)
            time_us += 5 * _MINUTE_US
        time_us += 24 * 60 * _MINUTE_US
    answer = dict.fromkeys([DIRECT, *(name for found in FOUND_BY.values() for name in found)])
    return dataset_of(
        "memories:scenario",
        list(notes.values()),
        [
            Asking(
                QUESTION,
                "scenario",
                "incident",
                tuple(notes[name] for name in answer),
                entities=(_SERVICE[0],),
            )
        ],
        [Together(notes[DIRECT], notes["connection-pool"], _TIMES_TOGETHER)],
    )
