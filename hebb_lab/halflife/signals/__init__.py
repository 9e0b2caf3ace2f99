"""What an edge carries at any moment: fading weights and rates, as terms of an intensity."""
