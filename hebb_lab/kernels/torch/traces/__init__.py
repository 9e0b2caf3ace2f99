"""All traces beside one another: replay with its state kept, and what needs no state kept."""
