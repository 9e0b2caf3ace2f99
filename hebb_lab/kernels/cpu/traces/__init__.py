"""Traces beside one another: how weights fade and grow."""
