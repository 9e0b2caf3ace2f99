"""Recall around the cognitive graph: direct search, scoring, expansion, merge, trace."""
