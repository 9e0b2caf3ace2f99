"""What comes in: checked columns, unit vectors, edges."""
