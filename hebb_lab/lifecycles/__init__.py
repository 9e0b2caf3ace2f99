"""The experiment `+exp=memory`: data replayed as lives of a memory store, and what it recalls."""
