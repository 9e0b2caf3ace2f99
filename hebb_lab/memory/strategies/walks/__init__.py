"""Causal recall's parts: what it starts from, walks over edges, learned offsets."""
