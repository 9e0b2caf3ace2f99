"""A replay into the state of an earlier one: no new memory, and the same numbers."""

import re

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.arrays import ReplayState, as_numpy
from tests.kernels.backends import FAST, REFERENCE, made
from tests.kernels.logs import DAY_US, START_US, case_of

GATED = DOCUMENTED.change(window_max=2)
WINDOWS = [(START_US + i * DAY_US, list(range(2 + i % 3)), (-1) ** (i // 4), 0) for i in range(30)]
CASE = case_of(WINDOWS, [OBSERVED, GATED, OBSERVED.change(window_max=2)])
OTHER = case_of(WINDOWS, [OBSERVED, GATED.change(learning_rate=0.1), OBSERVED])


def changed(state, **parts):
    return ReplayState(*state)._replace(**parts)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("before", [False, True])
def test_a_replay_into_an_earlier_state_gives_what_a_new_one_gives(name, before):
    backend = made(name)
    graph, new = backend.place(CASE.graph), backend.replay(CASE.graph, CASE.traces, before)
    earlier = backend.replay(graph, OTHER.traces, before)
    for part in earlier:
        part[...] = 9
    got = backend.replay(graph, CASE.traces, before, into=earlier)
    assert got is earlier
    told = as_numpy(new.reinforcements) > 0  # half-lives mean something where an edge is alive
    for field, part, want in zip(new._fields, got, new, strict=True):
        keep = told & [[1, 0, 1]] > 0 if field == "half_life_days" else slice(None)
        np.testing.assert_array_equal(as_numpy(part)[keep], as_numpy(want)[keep])


@pytest.mark.parametrize("name", FAST)
def test_a_state_that_does_not_fit_is_refused(name):
    backend = made(name)
    state = backend.replay(CASE.graph, CASE.traces)
    float16 = as_numpy(state.weight).astype(np.float16)
    wrong = {
        "weight": changed(state, weight=state.weight[:-1]),
        "reinforcements": changed(state, reinforcements=state.weight),
        "half_life_days": changed(state, half_life_days=state.half_life_days[:0]),
        "before": changed(state, before=state.weight),
    }
    for part, into in wrong.items():
        with pytest.raises(InputError, match=rf"into\.{part} is .*, and this replay gives .*Give"):
            backend.replay(CASE.graph, CASE.traces, into=into)
    with pytest.raises(InputError, match="of float16 on cpu, and this replay gives"):
        backend.replay(CASE.graph, CASE.traces, into=changed(state, weight=float16))
    with pytest.raises(InputError, match=re.escape(f"gives {type(state.weight).__name__} (0, 3)")):
        backend.replay(CASE.graph, CASE.traces, False,
                       into=backend.replay(CASE.graph, CASE.traces, True))  # fmt: skip


def test_memory_that_cannot_be_written_or_is_in_pieces_is_refused():
    backend = made(REFERENCE)
    state = backend.replay(CASE.graph, CASE.traces)
    locked, scattered = state.weight.copy(), np.asfortranarray(state.weight)
    locked.flags.writeable = False
    for weight in (locked, scattered):
        with pytest.raises(InputError, match="no memory in one piece that may be written"):
            backend.replay(CASE.graph, CASE.traces, into=changed(state, weight=weight))


def test_the_state_of_another_back_end_is_refused():
    ours, theirs = made("cpu"), made("torch")
    state = theirs.replay(CASE.graph, CASE.traces)
    with pytest.raises(InputError, match=r"into\.weight is Tensor .*, and this replay gives ndarr"):
        ours.replay(CASE.graph, CASE.traces, into=state)


def test_gradients_need_the_state_and_write_over_none():
    import torch

    backend = made("torch")
    rate = torch.tensor(CASE.traces.learning_rate, requires_grad=True)
    state = backend.replay(CASE.graph, CASE.traces)
    with pytest.raises(ConfigError, match="Leave out into"):
        backend.replay(CASE.graph, CASE.traces._replace(learning_rate=rate), into=state)


@pytest.mark.parametrize("name", FAST)
def test_parts_that_share_their_memory_are_refused(name):
    backend = made(name)
    state = backend.replay(CASE.graph, CASE.traces, True)
    with pytest.raises(InputError, match="two parts of into are the same memory"):
        backend.replay(CASE.graph, CASE.traces, True, state._replace(before=state.weight))


@pytest.mark.parametrize("into", [5, ((), ()), ReplayState(None, None, None, None)])
def test_what_is_no_state_is_refused(into):
    backend = made("cpu")
    with pytest.raises(InputError, match="and no state of arrays"):
        backend.replay(CASE.graph, CASE.traces, False, into)
