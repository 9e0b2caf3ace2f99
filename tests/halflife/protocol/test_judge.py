"""A model that fails is scored as its fallback, counted and named; the others do not notice."""

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import NotApplicableError
from tests.halflife.small import Failing, Wrapped, bench, history, registered, world


@pytest.fixture(scope="module")
def judged_on():
    return bench(history(world(edges=60)[0]))


def judged(judged_on, name):
    return judged_on.judge(name, lambda number: None)


def test_a_model_that_cannot_be_fitted_is_scored_as_namespace_defaults(judged_on, monkeypatch):
    registered(monkeypatch, "failing", Failing())
    failed, instead = judged(judged_on, "failing"), judged(judged_on, "namespace_defaults")
    assert failed.losses.tobytes() == instead.losses.tobytes()
    assert failed.probabilities.tobytes() == instead.probabilities.tobytes()
    entry = failed.entry
    assert entry["fell_back"] == [1, 2, 3]
    assert {split["fell_back"] for split in entry["splits"]} == {"there is too little. Give more."}
    assert [split["parameters"] for split in entry["splits"]] == [{}, {}, {}]
    assert entry["splits"][0]["replaced"] == ["cases", "7 days", "3 days", "survival"]
    assert entry["final"]["fell_back"] == "there is too little. Give more."
    assert failed.tracebacks == ""


def test_an_exception_that_is_a_bug_keeps_its_traceback(judged_on, monkeypatch):
    registered(monkeypatch, "failing", Failing(ZeroDivisionError("by nothing")))
    failed = judged(judged_on, "failing")
    assert failed.entry["splits"][0]["fell_back"] == "ZeroDivisionError: by nothing"
    assert "Traceback (most recent call last)" in failed.tracebacks


def test_if_the_fallback_fails_too_the_constant_is_scored(judged_on, monkeypatch):
    fresh = bench(judged_on.history)
    registered(monkeypatch, "failing", Failing())
    registered(monkeypatch, "namespace_defaults", Failing(InputError("nor this", "Wait")))
    failed, last = judged(fresh, "failing"), judged(fresh, "constant")
    assert failed.losses.tobytes() == last.losses.tobytes()
    assert "nor this. Wait." in failed.entry["splits"][0]["fell_back"]


def test_if_all_fallbacks_fail_the_model_has_no_scores(judged_on, monkeypatch):
    fresh = bench(judged_on.history)
    for name in ("failing", "namespace_defaults", "constant"):
        registered(monkeypatch, name, Failing())
    with pytest.raises(InputError, match="there is too little"):
        judged(fresh, "failing")


def test_a_probability_above_one_counts_as_failed_and_only_where_it_is_predicted(
    judged_on, monkeypatch
):
    def predict(asked, days):
        return np.full(len(asked.edge), 1.5 if days == 3.0 else 0.5)

    registered(monkeypatch, "wrong", Wrapped(predict=predict))
    found = judged(judged_on, "wrong")
    assert found.entry["fell_back"] == [1, 2, 3]
    reason = found.entry["splits"][0]["fell_back"]
    assert reason.startswith("3 days: the model predicts a probability of 1.5")
    assert "7 days" not in reason
    assert found.entry["splits"][0]["replaced"] == ["3 days"]
    rows = sum(len(block.rows[0].again) for block in judged_on.blocks)
    assert set(found.probabilities[:rows]) == {0.5}
    instead = judged(judged_on, "namespace_defaults")
    assert found.probabilities[rows:].tobytes() == instead.probabilities[rows:].tobytes()


def test_a_model_that_does_not_apply_does_not_fall_back(judged_on):
    with pytest.raises(NotApplicableError, match="not known"):
        judged(judged_on, "oracle")


def test_a_fit_before_a_block_has_parameters_and_a_time_of_its_own(judged_on):
    entry = judged(judged_on, "hierarchical").entry
    first = [judged_on.history.recall_us[block.split.first] for block in judged_on.blocks]
    assert [split["until_us"] for split in entry["splits"]] == first
    assert entry["final"]["until_us"] is None
    named = {"value", "low", "high", "events", "verdict"}
    assert all(set(e) == named for e in entry["final"]["parameters"].values())
    assert {"1", "5"} == set(entry["hits"])


def test_the_half_lives_in_force_are_those_of_the_model(judged_on):
    entry = judged(judged_on, "fixed").entry
    assert {group["median"] for group in entry["half_lives"].values()} == {30.0}
    assert all(group["constant"] for group in entry["half_lives"].values())
    rate = judged(judged_on, "rate").entry["half_lives"]
    assert all(group["no_decay"] and group["median"] is None for group in rate.values())
