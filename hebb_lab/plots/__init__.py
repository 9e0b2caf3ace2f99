"""Figures, one a file: each a pure function of values that evaluation computed."""
