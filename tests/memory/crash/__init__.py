"""Stores that are killed, filled up, cut off and altered: what survives, counted.

``python -m tests.memory.crash --points 200`` kills processes, ``--faults`` alters files.
"""
