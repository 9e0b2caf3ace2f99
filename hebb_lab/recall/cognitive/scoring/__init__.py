"""What surrounds the graph: phase scoring, surprise, habituation, profiles (Spector Memory)."""
