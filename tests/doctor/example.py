"""Findings to show, made by hand."""

from hebb_lab.doctor.conflicts import Conflict
from hebb_lab.doctor.examine import Findings
from hebb_lab.doctor.kernel import KernelRun
from hebb_lab.doctor.packages import Extra, Part

LONG_COMMAND = "python -m pip install " + "-c a-rather-long-folder-name/constraints.txt " * 4


def findings(**changes):
    values = {
        "version": "0.1.0",
        "machine": {
            "python": "3.11.7", "platform": "Linux", "processor": "x86_64", "cores": 2,
            "memory_bytes": 24 * 2**30, "memory_free_bytes": None,
        },
        "devices": {
            "driver": None, "torch_built_for_cuda": None, "torch_gpus": [], "cupy": False,
            "faiss": True, "faiss_gpus": 0,
        },
        "kernels": [KernelRun("cpu", "cpu", 0.5, 1e-16, None)],
        "base": [Part("numpy", ">=2", "2.4.6", None)],
        "extras": [Extra("embed", (Part("a-model", ">=0.1", None, "missing"),), LONG_COMMAND)],
        "conflicts": [],
        "embedding_model": None,
    }  # fmt: skip
    return Findings(**values | changes)


def conflict():
    return Conflict("two [builds] of faiss", "python -m pip uninstall faiss")
