"""An experiment on the lives of memories, from settings to a run folder."""
