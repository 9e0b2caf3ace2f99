"""Data as the life of a store: what is written, touched, asked and forgotten, and when."""
