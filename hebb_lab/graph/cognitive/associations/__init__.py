"""Layer 1 below its surface: the edges, how they are learned, kept and forgotten, and walked."""
