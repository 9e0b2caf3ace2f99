"""The point process behind a graph: clocks, exposure, cases with controls, checkpoint rows."""
