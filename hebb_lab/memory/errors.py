"""What can go wrong with a store, each by its name."""

from __future__ import annotations

from hebb_lab.errors import InputError


class StoreError(InputError):
    """A store that cannot do what was asked; what it had acknowledged is still there."""


class MemoryNotFoundError(StoreError, KeyError):
    """An id that no memory has, or has any more."""

    __str__ = Exception.__str__  # a KeyError would show its sentence in quotes


class StoreBusyError(StoreError):
    """Another writer has the store open."""


class StoreFullError(StoreError):
    """No room on the disk: the change was not kept, the store is as it was before."""


class StoreReadOnlyError(StoreError):
    """A write to a store that was opened for reading, or lies where nothing can be written."""


class DamagedStoreError(StoreError):
    """A file of the store that is cut off, altered or not what it says."""
