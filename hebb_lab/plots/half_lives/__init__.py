"""Figures of the half-life experiment, one a file: pure functions of values that were fitted."""
