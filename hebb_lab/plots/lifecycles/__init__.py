"""Figures of a memory experiment: what days do to recall, what is kept, how a store grows."""
