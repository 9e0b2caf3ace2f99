"""Half-lives of single edges: likelihoods in plain loops, posteriors, averaged predictions."""

from functools import cache

import numpy as np
import pytest

from hebb_lab.halflife.model import Training
from hebb_lab.halflife.models.empirical_bayes import HALF_LIVES, table_of
from hebb_lab.halflife.objectives.prior import log_prior, normalised, posterior_interval
from tests.halflife.fits import MODELS, fitted, late, plain_areas, plain_weight, share_of, world
from tests.halflife.made import exposed, history, pairs

PLACE = np.log(HALF_LIVES)


def prior_of(fit, group):
    """[H] the prior of a group on the grid."""
    return np.exp(log_prior(PLACE, fit.fits[group].mean, fit.fits[group].spread))


def spread_of(rows):
    mean = rows @ PLACE
    return np.sqrt(np.maximum(rows @ PLACE**2 - mean**2, 0))


@cache
def contrast():
    """(fit, history): edge 0 comes at gaps that tell a half-life, the others once or twice."""
    rng = np.random.default_rng(4)
    events, day = [], 0.0
    for _ in range(120):  # bursts, then silence: what comes back comes within hours
        for _ in range(3):
            events.append((day, 0))
            day += rng.exponential(0.05)
        day += rng.exponential(3.0)
    once = [(rng.uniform(0, day), edge) for edge in range(1, 30) for _ in range(1 + edge % 2)]
    found = history(pairs(*sorted(events + once), (day + 1, 30)))
    return MODELS["empirical_bayes"].fit(found, Training(until=found.recalls)), found


def test_posteriors_sum_to_1():
    fit, _ = fitted("empirical_bayes")
    np.testing.assert_allclose(fit.posterior.sum(axis=1), 1, rtol=1e-12)
    assert (fit.posterior >= 0).all()


def test_a_likelihood_is_events_and_silence_in_every_recall_that_the_edge_was_exposed_in():
    fit, found = fitted("empirical_bayes")
    _, train = world()
    table = table_of(found, fit.fading, train.until)
    mu, beta = 0.003, 0.02
    edges = [int(e) for e in np.argsort(-np.diff(found.pointer))[[0, 3, 20, 60]]]
    for edge in edges:
        own = np.zeros(found.edges, bool)
        own[edge] = True
        row = table.some(own).likelihood(mu, beta)[0]
        recalls = exposed(found, edge, train.until)
        events = set(found.event_recall[found.pointer[edge] + 1 : found.pointer[edge + 1]])
        for column in (3, 11, 17):
            expected = 0.0
            for recall in recalls.tolist():
                time = int(found.recall_us[recall])
                rate = mu + beta * plain_weight(found, edge, time, HALF_LIVES[column])[0]
                expected += np.log(rate) * (recall in events) - rate
            assert row[column] == pytest.approx(expected, rel=1e-9)


def test_an_edge_that_was_never_exposed_has_its_groups_prior():
    fit, found = contrast()
    silent = np.flatnonzero(~fit.known)
    assert len(silent) == 1  # born in the last recall
    np.testing.assert_allclose(fit.posterior[silent[0]], prior_of(fit, 0))
    assert silent[0] not in fit.edge_half_lives().edge
    assert found.birth()[silent[0]] == found.recalls - 1


def test_an_edge_with_much_data_is_surer_than_the_prior_and_one_with_none_is_not():
    fit, found = contrast()
    prior = spread_of(prior_of(fit, 0)[None])[0]
    spread = spread_of(fit.posterior)
    busy = int(np.argmax(np.diff(found.pointer)))
    assert np.diff(found.pointer)[busy] == 360
    assert spread[busy] == spread[fit.known].min()
    assert spread[busy] < 0.6 * np.median(spread[np.diff(found.pointer) == 1])
    assert (spread <= prior * 1.5).all()


def test_supported_means_a_closed_interval_and_half_the_priors_spread_at_most():
    seen = set()
    for fit, found in (fitted("empirical_bayes"), contrast()):
        edges = fit.edge_half_lives()
        priors = [spread_of(prior_of(fit, g)[None])[0] for g in range(len(fit.fits))]
        for edge, value, low, high, supported in zip(*edges, strict=True):
            row = fit.posterior[edge]
            narrow = spread_of(row[None])[0] <= priors[found.group[edge]] / 2
            assert supported == (narrow and low > 0 and np.isfinite(high))
            assert low <= value <= high
            inside = row[(low * 0.99 <= HALF_LIVES) & (high * 1.01 >= HALF_LIVES)].sum()
            assert inside > 0.8  # of 95 %, on a coarse grid
            seen.add(bool(supported))
    assert False in seen


def test_a_posterior_is_the_prior_times_the_likelihood():
    rng = np.random.default_rng(1)
    fit, _ = contrast()
    logs = rng.normal(0, 3, (5, len(HALF_LIVES)))
    rows = prior_of(fit, 0) * np.exp(logs)
    expected = rows / rows.sum(axis=1, keepdims=True)
    prior = np.log(prior_of(fit, 0))
    np.testing.assert_allclose(normalised(logs + prior)[0], expected)


def test_predictions_are_averaged_over_the_posterior_not_made_at_its_middle():
    fit, found = fitted("empirical_bayes")
    asked = share_of(late(found), 15)
    mu, beta = np.array([(f.mu, f.beta) for f in fit.fits])[found.group[asked.edge]].T
    _, more = found.ahead(asked, 7.0)
    chance = np.zeros(len(asked.edge))
    for column, days in enumerate(HALF_LIVES):
        lives = np.full(len(found.groups), days)
        expected = mu * more + beta * plain_areas(found, asked, lives, 7.0)
        chance += fit.posterior[asked.edge, column] * (1 - np.exp(-expected))
    np.testing.assert_allclose(fit.predict(asked, 7.0), chance, rtol=1e-9)
    middle = fit.half_life(asked)
    plugged = [
        mu[row] * more[row] + beta[row] * plain_areas(
            found, asked.some([row]), np.full(len(found.groups), middle[row]), 7.0
        )[0]
        for row in range(len(asked.edge))
    ]  # fmt: skip
    assert np.abs(chance - (1 - np.exp(-np.array(plugged)))).max() > 1e-3


def test_a_half_life_is_the_posterior_median_and_an_intensity_the_mean_of_weights():
    fit, found = fitted("empirical_bayes")
    asked = share_of(late(found), 20)
    rows = fit.posterior[asked.edge]
    medians = [posterior_interval(HALF_LIVES, row)[0] for row in rows]
    np.testing.assert_allclose(fit.half_life(asked), medians)
    of_edges = fit.edge_half_lives()
    known = np.isin(asked.edge, of_edges.edge)
    at = np.searchsorted(of_edges.edge, asked.edge[known])
    assert (of_edges.value[at] == fit.half_life(asked)[known]).all()
    mu, beta = np.array([(f.mu, f.beta) for f in fit.fits])[found.group[asked.edge]].T
    for row in range(len(asked.edge)):
        edge, time = int(asked.edge[row]), int(asked.time_us[row])
        weights = [plain_weight(found, edge, time, days)[0] for days in HALF_LIVES.tolist()]
        expected = mu[row] + beta[row] * (rows[row] @ weights)
        assert fit.intensity(asked.some([row]))[0] == pytest.approx(expected, rel=1e-9)


def test_a_range_over_edges_says_that_it_is_no_interval():
    fit, found = fitted("empirical_bayes")
    for group in found.groups:
        told = fit.parameters[f"half_life[{group}]"]
        alone = fit.parameters[f"half_life_alone[{group}]"].verdict
        said = ("range over the edges", "did not converge", *([alone] if alone else []))
        assert any(words in told.verdict for words in said)
        assert told.events == fit.parameters[f"spread[{group}]"].events > 0
    shown = fit.details()["edges"]
    assert len(shown["count"]) == len(shown["half_life"]) == fit.known.sum()


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_a_narrow_range_is_not_told_where_one_half_life_for_all_cannot_be(seed):
    rng = np.random.default_rng(seed)
    days = np.cumsum(rng.exponential(0.5, 220))
    events = [(day, int(e)) for day in days for e in np.flatnonzero(rng.random(14) < 0.15)]
    found = history(pairs(*events))
    told = MODELS["empirical_bayes"].fit(found, Training(until=found.recalls)).parameters
    assert told["half_life[personal]"].low > 0  # it would look like an estimate
    assert told["half_life_alone[personal]"].verdict.startswith("not identifiable: no half-life")
    assert told["half_life[personal]"].verdict == told["half_life_alone[personal]"].verdict
