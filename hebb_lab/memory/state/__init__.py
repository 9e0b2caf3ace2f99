"""What a store knows at one moment, as arrays: numbers, vectors, edges, and search in them."""

from hebb_lab.memory.state.edges import EdgeTable
from hebb_lab.memory.state.memories import State
from hebb_lab.memory.state.search import nearest
from hebb_lab.memory.state.vectors import Vectors
from hebb_lab.memory.state.views import to_pyg

__all__ = ["EdgeTable", "State", "Vectors", "nearest", "to_pyg"]
