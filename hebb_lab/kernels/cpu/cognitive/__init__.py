"""Kernels of recall around the cognitive graph."""
