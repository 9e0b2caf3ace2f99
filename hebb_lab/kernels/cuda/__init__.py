"""CUDA C++: the kernels of a GPU, and what compiles and launches them."""
