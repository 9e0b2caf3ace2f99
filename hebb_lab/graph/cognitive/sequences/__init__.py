"""Sequences of memories: what the temporal chain is made of."""
