"""Questions before they are asked: whether they can be, what they name, what they lack."""

from hebb_lab.memory.strategies.asking.checks import (
    NO_VECTOR,
    checked,
    names_id,
    wants_vector,
    with_vector,
)

__all__ = ["NO_VECTOR", "checked", "names_id", "wants_vector", "with_vector"]
