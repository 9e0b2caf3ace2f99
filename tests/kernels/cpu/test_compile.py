"""Kernels are cheap to compile, and threads change nothing."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import numba
import pytest

from hebb_lab.kernels.cpu.compile import in_threads, in_workers, is_compiled, pieces_of
from hebb_lab.kernels.cpu.select import best_nodes

ALL_KERNELS = """
import numpy as np
from numba.core.dispatcher import Dispatcher

from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.graph.temporal import co_activation_graph
from hebb_lab.kernels.cpu import floors, select
from hebb_lab.kernels.cpu.traces import fade, halving, replay
from hebb_lab.kernels.cpu.walks import (
    carry, numbers, pagerank, readings, rows, spread, thin, travel
)
from hebb_lab.kernels.arrays import query_arrays
from tests.kernels.logs import co_activations, queries_at

windows = [(10, [0, 1, 2], 1.0, 0), (20, [1, 2], -0.5, 1)]
layer = SynapseLayer.learn(co_activation_graph(co_activations(windows)), [DOCUMENTED, OBSERVED])
queries = queries_at([5, 15, 25], [(0, 1.0)], exclude=[0])
layer.spread(0, queries, 3)
layer.spread(1, queries, 3)
layer.personalised_pagerank(0, queries, 3)
floors.popularity_and_recency(
    np.zeros(2, np.int32), np.arange(2), 7, query_arrays(queries), 3
)
for module in (
    carry, fade, floors, halving, numbers, pagerank, readings, replay, rows, select, spread, thin,
    travel,
):
    for name, function in vars(module).items():
        if isinstance(function, Dispatcher) and function.__module__ == module.__name__:
            print(name, len(function.signatures))
"""
OF_MANY_TYPES = {"set_all"}  # two lines: for numbers and for flags


@pytest.fixture
def threads():
    """Sets the number of threads; afterwards it is as before."""
    before = numba.get_num_threads()
    yield numba.set_num_threads
    numba.set_num_threads(before)


def test_the_first_run_on_a_machine_says_that_it_compiles(tmp_path):
    code = (
        "import logging; logging.basicConfig(level=logging.INFO, format='%(message)s');"
        "from hebb_lab.kernels.choose import backend_named; backend_named('cpu')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert "compiled now, once for this machine" in done.stderr


def test_a_kernel_that_ran_lies_compiled():
    assert is_compiled(best_nodes) == Path(best_nodes._cache._cache_file._index_path).exists()
    assert is_compiled(print)


def test_every_function_is_compiled_for_one_set_of_types(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", ALL_KERNELS],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}, check=True, capture_output=True,
        text=True,
    )  # fmt: skip
    counts = {name: int(n) for name, n in (line.split() for line in done.stdout.splitlines())}
    known = {"travel", "_walk_on", "fade", "edge_line", "_pagerank", "_floors", "thin_rows"}
    assert known <= set(counts)
    assert {name: n for name, n in counts.items() if n > 1 and name not in OF_MANY_TYPES} == {}


@pytest.mark.parametrize(("count", "size", "ends"), [(0, 3, []), (3, 3, [3]), (7, 3, [3, 6, 7])])
def test_pieces_cover_everything_once(count, size, ends):
    pieces = pieces_of(count, size)
    assert [stop for _, stop in pieces] == ends
    assert [i for first, stop in pieces for i in range(first, stop)] == list(range(count))


@pytest.mark.parametrize("number", sorted({1, numba.config.NUMBA_NUM_THREADS}))
def test_every_piece_is_worked_on_once_in_no_more_threads_than_allowed(threads, number):
    threads(number)
    seen, workers = [], set()

    def work(first, stop):
        seen.append((first, stop))
        workers.add(threading.get_ident())

    in_threads(work, pieces_of(40, 3))
    assert sorted(seen) == pieces_of(40, 3)
    assert len(workers) <= number


@pytest.mark.parametrize("number", sorted({1, numba.config.NUMBA_NUM_THREADS}))
def test_an_error_in_a_piece_is_raised(threads, number):
    threads(number)

    def work(first, stop):
        if first == 6:
            raise ValueError(f"no {first}")

    with pytest.raises(ValueError, match="no 6"):
        in_threads(work, pieces_of(9, 3))


def test_threads_wait_between_calls_and_are_not_started_again(threads):
    threads(numba.config.NUMBA_NUM_THREADS)
    workers = set()
    for _ in range(20):
        in_threads(lambda _first, _stop: workers.add(threading.get_ident()), pieces_of(40, 1))
    assert len(workers) <= numba.config.NUMBA_NUM_THREADS + 1  # and the one that calls


def test_no_piece_is_begun_after_one_has_failed(threads):
    threads(1)
    begun = []

    def work(first, stop):
        begun.append(first)
        if first == 3:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        in_threads(work, pieces_of(30, 3))
    assert begun == [0, 3]


def test_a_worker_gives_its_thing_back_unless_its_piece_failed(threads):
    threads(1)
    given = []

    def work(thing, first, stop):
        if first == thing:
            raise ValueError("no")

    in_workers(lambda: 99, work, pieces_of(9, 3), given.append)
    assert given == [99]
    with pytest.raises(ValueError, match="no"):
        in_workers(lambda: 6, work, pieces_of(9, 3), given.append)
    in_workers(lambda: 0, work, [], given.append)
    assert given == [99]


def test_what_a_failed_worker_made_is_gone_with_the_error(threads):
    threads(numba.config.NUMBA_NUM_THREADS)
    made = []

    def make():
        thing = threading.Lock()
        made.append(weakref.ref(thing))
        return thing

    def work(thing, first, stop):
        time.sleep(0.001)  # so that others begin too
        raise MemoryError

    gc.disable()
    try:
        for _ in range(20):
            with contextlib.suppress(MemoryError):
                in_workers(make, work, pieces_of(9, 3))
        wait_for = time.monotonic() + 5  # a thread lets go of its last task a little later
        while any(known() for known in made) and time.monotonic() < wait_for:
            time.sleep(0.01)
        assert made
        assert not any(known() for known in made)
    finally:
        gc.enable()


def test_a_call_from_a_thread_of_another_call_does_not_wait_for_itself(threads):
    threads(numba.config.NUMBA_NUM_THREADS)
    seen = []

    def outer(first, stop):
        in_threads(lambda inner, _: seen.append((first, inner)), pieces_of(5, 1))

    in_threads(outer, pieces_of(8, 1))
    assert sorted(seen) == [(first, inner) for first in range(8) for inner in range(5)]


ENDS = """
import os

from hebb_lab.kernels.cpu.compile import in_threads, pieces_of

in_threads(lambda first, stop: None, pieces_of(20, 1))
child = os.fork()
done = []
in_threads(lambda first, stop: done.append(first), pieces_of(20, 1))
assert len(done) == 20
if child:
    _, status = os.waitpid(child, 0)
    assert status == 0, status
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_threads_keep_no_program_from_ending_and_a_forked_process_has_its_own():
    subprocess.run([sys.executable, "-c", ENDS], check=True, timeout=60)
