"""The files of a store: how they are locked, marked and opened, and how they fail."""
