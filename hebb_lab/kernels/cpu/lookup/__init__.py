"""Finding things: by key, and by how near they are."""
