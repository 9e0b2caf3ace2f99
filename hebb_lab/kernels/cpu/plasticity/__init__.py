"""Spike-timing-dependent plasticity: edges that learn from gaps, and what they foretell."""
