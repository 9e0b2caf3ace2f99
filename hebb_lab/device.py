"""What is there to run on. Nothing heavy is imported before a function is called."""

from __future__ import annotations

from typing import Any


def cupy_or_none() -> Any:
    """CuPy where it can run kernels, else None."""
    # Not only ImportError: a CUDA library that is missing or of another line raises other types.
    try:
        import cupy

        return cupy if cupy.cuda.is_available() else None
    except Exception:
        return None


def faiss_gpus() -> int:
    """How many GPUs FAISS can use; 0 without FAISS and for its builds without CUDA."""
    try:
        import faiss

        # faiss-cpu has get_num_gpus too; only builds with CUDA have the resources.
        return int(faiss.get_num_gpus()) if hasattr(faiss, "StandardGpuResources") else 0
    except Exception:
        return 0


def has_cuda() -> bool:
    """Whether torch can use a CUDA device."""
    import torch

    return torch.cuda.is_available()
