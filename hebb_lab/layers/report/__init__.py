"""What each layer adds, from a stored run alone: tables, answers in plain words, figures."""
