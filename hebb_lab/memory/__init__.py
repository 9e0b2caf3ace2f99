"""The memory model: a durable store with a lifecycle, under an explicit clock, in batch."""
