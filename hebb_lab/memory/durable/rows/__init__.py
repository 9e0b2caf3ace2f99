"""Changes as rows of the database, each with its checksum, and back."""
