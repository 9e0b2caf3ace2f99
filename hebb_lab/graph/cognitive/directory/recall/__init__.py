"""From what a query names to the memories that its entities lead to."""
