"""From a config to a finished run: data made ready, arms, the loop over them."""
