"""Tensors on any device, with gradients in half-lives, rates and gains."""
