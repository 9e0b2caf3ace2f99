"""The commands of ``python -m hebb_lab.memory``."""
