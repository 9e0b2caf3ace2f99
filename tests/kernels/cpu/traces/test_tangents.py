"""Derivatives on the CPU: pieces and memory; the rest is in tests/kernels/test_tangents."""

import numpy as np
import pytest

from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.kernels.cpu.traces import tangents
from tests.kernels.logs import busy_edge, case_of

FIXED = DOCUMENTED.change(half_life="fixed")


@pytest.fixture
def asked():
    case, rng = case_of(busy_edge(300), [FIXED]), np.random.default_rng(0)
    events = len(case.graph.time)
    return case.graph, case.traces, rng.uniform(1, 90, events), rng.normal(size=(events, 3))


def assert_equal(got, want):
    for one, other in zip(got, want, strict=True):
        np.testing.assert_array_equal(one, other)


def test_pieces_of_edges_change_nothing(asked, monkeypatch):
    whole = tangents.replay_tangents(*asked)
    monkeypatch.setattr(tangents, "PIECE", 1)
    assert_equal(tangents.replay_tangents(*asked), whole)


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda part: np.repeat(part, 2, 1)[:, ::2]])
def test_features_may_lie_in_any_order(asked, layout):
    graph, traces, days, features = asked
    assert_equal(
        tangents.replay_tangents(graph, traces, days, layout(features)),
        tangents.replay_tangents(*asked),
    )


def test_numbers_of_another_width_are_taken_at_their_value(asked):
    graph, traces, days, features = asked
    narrow = days.astype(np.float32), features.astype(np.float32)
    assert_equal(
        tangents.replay_tangents(graph, traces, *narrow),
        tangents.replay_tangents(graph, traces, *(part.astype(np.float64) for part in narrow)),
    )


def test_what_is_given_is_not_written_to(asked):
    _, _, days, features = asked
    days[0], kept = 1e-20, features.copy()
    tangents.replay_tangents(*asked)
    assert days[0] == 1e-20
    np.testing.assert_array_equal(features, kept)


def test_each_parameter_has_the_derivative_that_it_has_alone(asked):
    graph, traces, days, features = asked
    together = tangents.replay_tangents(*asked)
    for p in range(3):
        alone = tangents.replay_tangents(graph, traces, days, features[:, p : p + 1])
        np.testing.assert_allclose(
            alone.weight_tangent[:, 0], together.weight_tangent[:, p], rtol=1e-14
        )
