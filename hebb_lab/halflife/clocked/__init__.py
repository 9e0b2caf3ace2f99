"""Models on other clocks than the run's: what fades in the time that was worked."""
