"""Forgetting: by ids or criteria, what goes with it, and what is left of it."""
