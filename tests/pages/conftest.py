"""The finished run of the layers' tests: pages are read from any kind of run."""

from tests.layers.conftest import stored_run

__all__ = ["stored_run"]
