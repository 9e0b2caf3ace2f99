"""Plain loops in float64, nothing clever: the meaning of every kernel."""
