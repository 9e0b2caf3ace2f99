"""On a real device only: skipped, and counted with the reason, where there is none."""

import numpy as np
import pytest
import torch

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import on_host
from hebb_lab.kernels.cuda.launch import CupyLauncher
from hebb_lab.kernels.cuda.sources import kernels_of, modules
from tests.kernels.backends import made, without_device
from tests.kernels.comparing import assert_same_found
from tests.kernels.logs import START_US, asked, case_of, hub

pytestmark = [pytest.mark.gpu, without_device()]
DAY_US = 86_400_000_000


def walk(backend, case, queries, k=12):
    graph = backend.place(case.graph)
    state = backend.replay(graph, case.traces)
    walk = backend.walk(graph, state, case.traces, case.reads)
    return on_host(state), walk.spread(queries, k)


def example():
    queries = asked(*((START_US + day * DAY_US, [(day, 1.0), (0, 0.5)], [2]) for day in range(30)))
    return case_of(hub(), [DOCUMENTED, OBSERVED], 75), queries


@pytest.mark.parametrize("module", modules())
def test_every_kernel_finds_a_block_that_the_device_holds(module):
    launcher = CupyLauncher("float64")
    for kernel in kernels_of(module):
        threads, blocks = launcher.shape(module, kernel)
        assert threads % 32 == 0
        assert blocks >= torch.cuda.get_device_properties(0).multi_processor_count


def test_tensors_are_handed_to_kernels_without_a_copy():
    launcher, tensor = CupyLauncher("float64"), torch.arange(5, device="cuda")
    assert launcher._passed(tensor).data.ptr == tensor.data_ptr()


def test_a_state_is_the_same_to_the_last_bit_from_run_to_run():
    (one, _), (other, _) = (walk(made("cuda"), *example()) for _ in range(2))
    for first, second in zip(one, other, strict=True):
        np.testing.assert_array_equal(first, second)


def test_one_block_that_does_all_tasks_finds_what_many_find():
    (_, many), (_, one) = (walk(made("cuda", mb), *example()) for mb in (500, 1))
    assert_same_found(one, many, "cuda")


def test_kernels_run_on_the_stream_that_torch_is_on():
    want = walk(made("cuda"), *example())[1]
    with torch.cuda.stream(torch.cuda.Stream()):
        got = walk(made("cuda"), *example())[1]
    assert_same_found(got, want, "cuda")
