"""What no kernel may be started with: each problem is named before anything is computed."""
