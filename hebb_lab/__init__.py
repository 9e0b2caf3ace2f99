"""hebb_lab: batch research on associative agent memory.

The package imports nothing heavy by itself: ``import hebb_lab`` costs a few milliseconds.
"""

__version__ = "0.1.0"
