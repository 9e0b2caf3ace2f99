"""Questions before they are asked: whether they can be, what they name, what they lack."""

from hebb_lab.memory.strategies.asking.checks import (
    NO_VECTOR,
    checked,
    names_id,
    wants_vector,
    with_vector,
)
from hebb_lab.memory.strategies.asking.shapes import check_shapes, strategy_names

__all__ = [
    "NO_VECTOR", "check_shapes", "checked", "names_id", "strategy_names", "wants_vector",
    "with_vector",
]  # fmt: skip
