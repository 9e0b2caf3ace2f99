"""The values on the arrows: what one stage hands to the next.

    log files ─▶ EventLog ─▶ CoActivations ─▶ TemporalGraph ┐
                     └─────▶ Queries + Qrels ───────────────┴─▶ Ranking ─▶ per-query scores

Every value is immutable. Node ids are integers in the byte-wise order of the node names, so that
"id descending" is the tie rule of trec_eval.
"""

from hebb_lab.records.facts import (
    EVENT_SCHEMA,
    LAWS,
    NODE_KINDS,
    OPS,
    SOURCES,
    TIME_QUALITIES,
    Activity,
    CoActivations,
    Dataset,
    EdgeTruth,
    EventLog,
    Truth,
)
from hebb_lab.records.memories import Hints, Lists, Memories, Relations
from hebb_lab.records.questions import (
    Judgements,
    Qrels,
    Queries,
    QuestionCues,
    Questions,
    Ranking,
)

__all__ = [
    "EVENT_SCHEMA",
    "LAWS",
    "NODE_KINDS",
    "OPS",
    "SOURCES",
    "TIME_QUALITIES",
    "Activity",
    "CoActivations",
    "Dataset",
    "EdgeTruth",
    "EventLog",
    "Hints",
    "Judgements",
    "Lists",
    "Memories",
    "Qrels",
    "Queries",
    "QuestionCues",
    "Questions",
    "Ranking",
    "Relations",
    "Truth",
]
