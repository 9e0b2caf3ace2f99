"""From prepared memories to stored answers: asking, answering, choosing rules on other scopes."""
