"""Facts in time (TemporalGraph) and the layers that spread activation over them."""
