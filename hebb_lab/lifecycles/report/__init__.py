"""Reports of an experiment on the lives of memories."""
