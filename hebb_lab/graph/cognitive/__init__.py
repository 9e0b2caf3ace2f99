"""The four-layer cognitive graph: one layer a file, under rules that are data."""
