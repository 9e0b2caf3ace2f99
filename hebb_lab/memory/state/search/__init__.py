"""The nearest memories: exactly on the processor or on a device, or through an HNSW graph."""

from hebb_lab.memory.state.search.nearest import nearest

__all__ = ["nearest"]
