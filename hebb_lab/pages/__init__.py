"""What the pages of runs share: stored runs, families of tests, numbers and tables as text."""
