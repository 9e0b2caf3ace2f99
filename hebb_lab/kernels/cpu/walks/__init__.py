"""Walks through the graph as it was: spreading activation and PageRank."""
