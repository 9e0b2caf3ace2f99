"""What derivatives cannot be had of is named before a kernel starts: what, which, and the cure."""

import re

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.kernels.checks.tangents import check_tangents
from tests.kernels.backends import REFERENCE, made
from tests.kernels.logs import START_US, case_of

FIXED = DOCUMENTED.change(half_life="fixed")
WINDOWS = [(START_US, [0, 1, 2], 1.0, 0), (START_US + 5, [0, 1], -0.5, 1)]
CASE = case_of(WINDOWS, [FIXED])  # 4 events
DAYS, FEATURES = np.full(4, 3.0), np.ones((4, 2))


def refused(message, error=InputError):
    return pytest.raises(error, match=re.escape(message))


def ask(backend=REFERENCE, graph=CASE.graph, traces=CASE.traces, days=DAYS, features=FEATURES):
    return made(backend).replay_tangents(graph, traces, days, features)


def changed(array, place, value):
    copy = array.copy()
    copy[place] = value
    return copy


def tensors(*arrays):
    torch = pytest.importorskip("torch")
    return [torch.tensor(array, dtype=torch.float64) for array in arrays]


def test_half_lives_features_and_a_half_life_without_end_pass():
    check_tangents(CASE.graph, CASE.traces, changed(DAYS, 1, np.inf), FEATURES, "cpu")
    check_tangents(CASE.graph, CASE.traces, DAYS, FEATURES[:, :0], "cpu")


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan])
def test_a_half_life_that_is_none_is_named(value):
    message = "entry 2 of the half-lives after the events is not above 0. Give days above 0, or inf"
    with refused(message):
        ask(days=changed(DAYS, 2, value))
    with refused(message):
        ask("torch", days=tensors(changed(DAYS, 2, value))[0])


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_feature_that_is_not_finite_is_named_by_its_event(value):
    message = "entry 1 of the features of the half-lives is not finite. Give finite"
    with refused(message):
        ask(features=changed(FEATURES, (1, 1), value))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"days": DAYS[:3]}, "the half-lives after the events are float64 of shape (3,)"),
        (
            {"days": DAYS[:, None]},
            "are float64 of shape (4, 1). Give a NumPy array of numbers",
        ),
        ({"days": [3.0] * 4}, "the half-lives after the events are list"),
        ({"days": DAYS > 0}, "the half-lives after the events are bool of shape (4,)"),
        ({"features": FEATURES[0]}, "the features of the half-lives are float64 of shape (2,)"),
        ({"features": FEATURES[:2]}, "shape (2, 2). Give a NumPy array of numbers, [4, n]"),
    ],
)
def test_arrays_of_another_shape_or_kind_are_refused(inputs, message):
    with refused(message):
        ask(**inputs)


def test_tensors_of_another_shape_are_refused():
    (days,) = tensors(DAYS[:3])
    with refused("the half-lives after the events are float64 of shape (3,)"):
        ask("torch", days=days)


def test_a_graph_that_does_not_fit_is_refused():
    with refused("entry 2 of the strengths is not finite"):
        ask(graph=CASE.graph._replace(strength=changed(CASE.graph.strength, 2, np.nan)))


@pytest.mark.parametrize("count", [0, 2])
def test_derivatives_are_of_one_trace(count):
    with refused(f"{count} traces, and derivatives are of one", ConfigError):
        ask(traces=case_of(WINDOWS, [FIXED, FIXED]).traces._replace() if count else none())


def none():
    traces = CASE.traces
    return traces._replace(**{name: part[:0] for name, part in traces._asdict().items()})


@pytest.mark.parametrize(
    "rules",
    [
        DOCUMENTED,
        FIXED.change(half_life="none"),
        FIXED.change(decay_passes="compounding"),
        OBSERVED,
    ],
    ids=["learned", "none", "passes", "observed"],
)
def test_rules_that_give_half_lives_themselves_are_refused(rules):
    with refused("Set rules.half_life=fixed and rules.decay_passes=continuous", ConfigError):
        ask(traces=case_of(WINDOWS, [rules]).traces)


@pytest.mark.parametrize("backend", [REFERENCE, "cpu"])
def test_only_torch_carries_gradients_back(backend):
    (days,) = tensors(DAYS)
    message = f"require a gradient; runtime.backend={backend} carries none. Set runtime.backend"
    with refused(message, ConfigError):
        ask(backend, days=days.requires_grad_(), features=FEATURES[:, :0])


def test_gradients_back_and_derivatives_forward_are_not_had_at_once():
    (days,) = tensors(DAYS)
    with refused("Give features of shape [M, 0], or numbers that require no", ConfigError):
        ask("torch", days=days.requires_grad_())


def test_features_carry_no_gradient():
    (features,) = tensors(FEATURES)
    with refused("features that require a gradient. Give them as NumPy arrays", ConfigError):
        ask("torch", features=features.requires_grad_())
