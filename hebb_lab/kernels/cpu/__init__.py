"""Compiled for the processor by numba."""
