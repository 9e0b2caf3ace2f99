"""Open registries of types: well-known names have their ids beforehand, any other gets the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hebb_lab.errors import InputError

ROLES = (
    "UNSPECIFIED", "SUBJECT", "OBJECT", "CONTEXT", "INSTRUMENT", "CORRECTOR", "CORRECTED",
    "DERIVED_FROM", "AGENT", "LOCATION",
)  # fmt: skip
"""Roles of an entity in a hyperedge: those of the code by their ids, then the page's others."""

RELATED_TO, CONTRADICTS = 0, 1
HYPEREDGE_TYPES = ("RELATED_TO", "CONTRADICTS")
"""Types of hyperedges: built at ingestion, and one that says that two things contradict."""

LONGEST = 65535  # bytes of a name: files hold its length in 16 bits


class TypeRegistry:
    """name ↔ id. Names are trimmed and in upper case; a blank one is OTHER.

    The page speaks of 21 well-known types of entities and lists 22, with OTHER; all 22 are known.

    >>> from hebb_lab.records.known_types import ENTITY_TYPES
    >>> types = TypeRegistry(ENTITY_TYPES)
    >>> types.intern("person"), types.intern(" Vehicle "), types.name_of(99)
    (0, 22, 'UNKNOWN')
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._id: dict[str, int] = {}
        self._name: dict[int, str] = {}
        for name in names:
            self.intern(name)

    @classmethod
    def of_ids(cls, ids: Mapping[str, int]) -> TypeRegistry:
        """A registry whose ids are known, as one that was read from a file.

        Raises:
            InputError: an id below 0, or one of two names.
        """
        registry = cls()
        for name, number in ids.items():
            key = _normal(name)
            if number < 0 or number in registry._name or key in registry._id:
                raise InputError(
                    f"type registry: '{key}' has id {number}, which is taken or below 0",
                    "Give each type one id from 0 up",
                )
            registry._id[key], registry._name[number] = number, key
        return registry

    def intern(self, name: str) -> int:
        """The id of a type; one that is new gets the next after the highest.

        Raises:
            InputError: a name of more than 65,535 bytes.
        """
        key = _normal(name)
        if key not in self._id:
            if len(key.encode(errors="surrogatepass")) > LONGEST:
                raise InputError(
                    f"type registry: '{key[:20]}…' is longer than {LONGEST} bytes",
                    "Give types short names",
                )
            number = max(self._name, default=-1) + 1
            self._id[key], self._name[number] = number, key
        return self._id[key]

    def find(self, name: str) -> int | None:
        """The id of a type, None where there is none."""
        return self._id.get(_normal(name))

    def name_of(self, number: int) -> str:
        """The name of a type, UNKNOWN where there is none."""
        return self._name.get(number, "UNKNOWN")

    def items(self) -> tuple[tuple[str, int], ...]:
        """(name, id) in the order of ids, as files hold them."""
        return tuple((self._name[number], number) for number in sorted(self._name))

    def __len__(self) -> int:
        return len(self._id)


def _normal(name: str) -> str:
    """As types are compared."""
    return name.strip().upper() or "OTHER"
