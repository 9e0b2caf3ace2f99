"""How alike two memories stand in the world: by the edges around them, or by their contexts."""
