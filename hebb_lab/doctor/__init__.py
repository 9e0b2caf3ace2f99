"""``python -m hebb_lab.doctor``: what this machine can do, and how to get what is missing."""
