"""Likelihoods, and how sure they make one of a half-life."""
