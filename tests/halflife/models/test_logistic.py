"""The regression, against scikit-learn on features that are computed in plain loops."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hebb_lab.errors import InputError
from hebb_lab.halflife.facts.rows import draw_rows
from hebb_lab.halflife.model import Training
from hebb_lab.halflife.models.logistic import FEATURES, HALF_LIVES
from tests.halflife.fits import MODELS, fitted, late, plain_weight, share_of, world
from tests.halflife.made import history, pairs


def features(found, asked):
    """[Q, F] by the definitions, edge by edge."""
    rows = []
    for edge, time in zip(asked.edge.tolist(), asked.time_us.tolist(), strict=True):
        own = slice(int(found.pointer[edge]), int(found.pointer[edge + 1]))
        recalls = found.event_recall[own]
        recalls = recalls[found.recall_us[recalls] < time]
        since = (time - found.recall_us[recalls]) / 86_400e6
        missed = (found.recall_us < time).sum() - 1 - recalls[0]
        rows.append(
            [
                np.log(len(recalls)), np.log(since[-1] + 0.01), np.log(since[0] + 0.01),
                np.log(len(recalls) / (missed + 1)),
                *(plain_weight(found, edge, time, days)[0] for days in HALF_LIVES.tolist()),
            ]
        )  # fmt: skip
    return np.array(rows)


@pytest.mark.parametrize("days", [1.0, 7.0])
def test_it_is_the_regression_of_scikit_learn_on_rows_with_a_whole_horizon(days):
    found, _ = world()
    train = Training(until=200, cases=1500, rows=900)
    fit = MODELS["logistic"].fit(found, train)
    rows = draw_rows(found, 0, 200, days, most=900, whole=True)
    end = found.recall_us[200]
    assert (rows.moments.time_us + days * 86_400e6 <= end).all()
    judge = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    judge.fit(features(found, rows.moments), rows.again)
    asked = share_of(late(found), 40)
    expected = judge.predict_proba(features(found, asked))[:, 1]
    np.testing.assert_allclose(fit.predict(asked, days), expected, rtol=1e-3)
    if days == 1.0:
        slopes = [fit.parameters[f"slope_{name}"].value for name in FEATURES]
        np.testing.assert_allclose(slopes, judge[-1].coef_[0], atol=1e-3)
        assert {e.events for e in fit.parameters.values()} == {int(rows.again.sum())}
        np.testing.assert_allclose(fit.intensity(asked), -np.log(1 - expected), rtol=1e-3)


@pytest.mark.parametrize("always", [True, False])
def test_outcomes_that_never_differ_make_a_constant_and_a_verdict(always):
    events = [(day / 2, e) for day in range(120) for e in range(3)] if always else [
        (day, day) for day in range(40)
    ]  # fmt: skip
    found = history(pairs(*events))
    fit = MODELS["logistic"].fit(found, Training(until=found.recalls))
    asked = late(found)
    chance = fit.predict(asked, 1.0)
    assert len(set(chance)) == 1
    assert (chance[0] > 0.98) if always else (chance[0] < 0.02)
    assert 0 < chance[0] < 1
    verdicts = {e.verdict for e in fit.parameters.values()}
    assert verdicts == {"all rows end alike: the regression is a constant"}


def test_too_few_rows_are_refused_now_and_those_of_another_horizon_when_asked_for():
    found = history(pairs(*[(day, day % 6) for day in range(20)]))
    with pytest.raises(InputError, match="checkpoint rows have a whole horizon of 1 days"):
        MODELS["logistic"].fit(found, Training(until=8))
    fit = MODELS["logistic"].fit(found, Training(until=20))
    asked = late(found)
    assert len(fit.predict(asked, 1.0)) == len(asked.edge)
    with pytest.raises(InputError, match="horizon of 30 days"):
        fit.predict(asked, 30.0)
    with pytest.raises(InputError, match="horizon of 30 days"):
        fit.ready(30.0)


def test_it_has_no_half_life():
    fit, found = fitted("logistic")
    assert np.isnan(fit.half_life(late(found))).all()
