"""Figures of a layers experiment."""
