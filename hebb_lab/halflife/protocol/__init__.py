"""How half-life models are held to account: expanding splits by time, the same rows for all."""
