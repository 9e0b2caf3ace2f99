"""Replay, spreading and selection. Nothing outside this folder knows which back end runs."""
