"""What a half-life experiment found: tables, claims and figures, from stored files alone."""
