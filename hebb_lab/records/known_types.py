"""The types of entities and of relations that are known before any data is read.

Source: "Memory Hebbian" (Spector Memory), open-schema type system, in the page's order. Any other
type is registered when it is first used.
"""

from __future__ import annotations

ENTITY_TYPES = (
    "PERSON", "ORGANIZATION", "TEAM", "ROLE", "PROJECT", "PRODUCT", "TASK", "CONCEPT", "TOPIC",
    "SKILL", "DECISION", "TECHNOLOGY", "TOOL", "API", "ARTIFACT", "EVENT", "LOCATION", "DATE_TIME",
    "PROCESS", "METRIC", "DOCUMENT", "OTHER",
)  # fmt: skip
RELATION_TYPES = (
    "MANAGES", "REPORTS_TO", "KNOWS", "ASSIGNED_TO", "AUTHORED", "WORKS_ON", "CREATED_BY", "OWNS",
    "IMPLEMENTS", "PART_OF", "CONTAINS", "DEPENDS_ON", "USES", "CAUSES", "BLOCKS", "SUPERSEDES",
    "PRECEDES", "FOLLOWS", "LOCATED_AT", "RELATED_TO", "OTHER",
)  # fmt: skip
