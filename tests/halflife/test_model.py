"""The registry of half-life models, and what every fit has to be."""

import importlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.halflife.model import Linked, NotApplicableError, Training, link_parameters
from hebb_lab.halflife.objectives.process import fit_link
from hebb_lab.halflife.protocol.sample import CASE_KEYS, ROW_KEYS
from hebb_lab.halflife.protocol.settings import ORDER
from hebb_lab.halflife.signals.terms import Constant, Design
from tests.halflife.fits import MODELS, counted, fitted, late, one_thread, training, world
from tests.halflife.made import DAY_US, START_US, history, pairs, random_windows, window


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    with one_thread():
        yield


HERE = Path(__file__).parent
KINDS = {"baseline", "published", "learned"}
NO_HALF_LIFE = {"constant", "moving_average", "recency", "logistic", "power_law"}
SESSIONS = START_US + np.arange(0, 400, 2) * DAY_US // 2


def test_the_models_are_those_of_the_settings():
    assert set(MODELS) == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


def test_no_model_has_the_name_of_a_column_that_is_no_models():
    assert not set(MODELS) & {*ROW_KEYS, *CASE_KEYS}


def untested(models):
    """Names whose module has no test file of its own, in the folder that mirrors its own."""
    found = []
    for name in models:
        _, _, folder, module = type(models[name]).__module__.split(".")
        if not (HERE / folder / f"test_{module}.py").exists():
            found.append(name)
    return found


def test_every_model_has_a_test_file_a_line_about_it_and_a_kind():
    assert untested(MODELS) == []
    for name in MODELS:
        about = MODELS[name].about
        assert about, name
        assert "\n" not in about
        assert not about.endswith(".")
        assert MODELS[name].kind in KINDS, name
    assert len({MODELS[name].about for name in MODELS}) == len(MODELS)


def test_a_model_without_a_test_file_would_be_found():
    class Lonely:
        about, kind = "none", "learned"

    Lonely.__module__ = "hebb_lab.halflife.models.lonely"
    assert untested({"lonely": Lonely()}) == ["lonely"]


@pytest.mark.parametrize("folder", ["models", "baselines"])
def test_every_module_of_the_folders_registers_a_model_or_serves_one(folder):
    package = importlib.import_module(f"hebb_lab.halflife.{folder}")
    files = {p.stem for p in Path(package.__file__).parent.glob("*.py")} - {"__init__"}
    makers = {type(MODELS[name]).__module__.rpartition(".")[2] for name in MODELS}
    assert files <= makers


def judge(name, fit, asked):
    """What holds of every fit."""
    intensity = fit.intensity(asked)
    assert np.isfinite(intensity).all()
    assert (intensity >= 0).all()
    chances = [fit.predict(asked, days) for days in (0.5, 1.0, 7.0, 30.0)]
    for chance in chances:
        assert chance.shape == asked.edge.shape
        assert np.isfinite(chance).all()
        assert ((chance >= 0) & (chance <= 1)).all()
    if name != "logistic":  # a regression for each horizon
        assert (np.diff(chances, axis=0) >= -1e-12).all()
    else:
        assert (np.diff([c.mean() for c in chances]) > -0.02).all()
    lives = fit.half_life(asked)
    assert lives.shape == asked.edge.shape
    assert np.isnan(lives).all() if name in NO_HALF_LIFE else not np.isnan(lives).all()
    assert (lives[~np.isnan(lives)] > 0).all()
    assert set(fit.details()) <= {"curves", "posteriors", "counts", "edges"}
    for key, estimate in fit.parameters.items():
        if not np.isfinite(estimate.value):
            assert estimate.verdict, key
        if np.isfinite([estimate.low, estimate.high, estimate.value]).all():
            assert estimate.low <= estimate.value * (1 + 1e-9) + 1e-9, key
            assert estimate.value <= estimate.high * (1 + 1e-9) + 1e-9, key
        assert estimate.events == int(estimate.events)
        assert estimate.events >= 0


@pytest.mark.parametrize("name", MODELS)
def test_every_model_fits_a_small_world(name):
    fit, found = fitted(name)
    judge(name, fit, late(found))
    assert all(estimate.events > 0 for estimate in fit.parameters.values())


@pytest.mark.parametrize("name", MODELS)
def test_a_fit_of_nothing_asked_answers_nothing(name):
    fit, found = fitted(name)
    nothing = found.asked(np.empty(0, int), np.empty(0, np.int64))
    assert fit.intensity(nothing).shape == (0,)
    assert fit.predict(nothing, 7.0).shape == (0,)
    assert fit.half_life(nothing).shape == (0,)


@cache
def cut_at(recalls):
    """A log, and the same log ending at that recall."""
    whole = random_windows(23, 110, nodes=6)
    logs = whole, whole[: recalls + 1]
    return tuple(history(log, session_us=SESSIONS) for log in logs)


@pytest.mark.parametrize("name", [n for n in MODELS if n != "oracle"])
def test_a_fit_does_not_see_what_comes_after_its_training(name):
    """What was fitted, and what it says of a moment, is the same when the rest never happened."""
    cut = 80
    long, short = cut_at(cut)
    train = Training(until=cut, cases=150, rows=800)
    now = int(short.recall_us[cut])
    one, two = (MODELS[name].fit(h, train) for h in (long, short))
    # edges by their ends: the longer log has more of them
    ends = [list(map(tuple, h.graph.edge_index.numpy().T)) for h in (long, short)]
    known = [e for e in ends[1] if short.recall_us[short.birth()[ends[1].index(e)]] < now]
    asked = [
        h.asked(np.array([own.index(e) for e in known]), np.full(len(known), now))
        for h, own in zip((long, short), ends, strict=True)
    ]
    np.testing.assert_allclose(one.intensity(asked[0]), two.intensity(asked[1]), rtol=1e-9)
    np.testing.assert_allclose(one.predict(asked[0], 7.0), two.predict(asked[1], 7.0), rtol=1e-9)
    for key, estimate in two.parameters.items():
        if np.isfinite(estimate.value):
            assert one.parameters[key].value == pytest.approx(estimate.value, rel=1e-6), key


LOGS = {
    "no edge comes back": pairs(*[(day, day) for day in range(30)]),
    "one edge, once": pairs((0, 0)),
    "one recall": [window(0, range(6))],
    "one edge": pairs(*[(day, 0) for day in range(40)]),
    "a group with one edge": [
        *random_windows(1, 60, nodes=5), window(900, [20, 21], 1), window(901, [20, 21], 1),
    ],
    "all gaps equal": pairs(*[(day + e / 50, e) for day in range(12) for e in range(4)]),
    "times that tie": random_windows(3, 70, nodes=5, ties=0.5),
    "all at one moment": pairs(*[(0, e % 3) for e in range(30)]),
    "two recalls": [window(0, range(6)), window(1, range(6))],
    "a weakening at the end": [
        *random_windows(5, 50, nodes=5), window(400, [0, 1], strength=-0.3)
    ],
    "nothing that strengthens": [window(day, [0, 1, 2], strength=0.0) for day in range(25)],
    "long silences": pairs((0, 0), (5000, 0), (5001, 1), (9000, 1)),
    "a microsecond apart": [(START_US + i, [i % 4, 4 + i % 3], 1.0, 0) for i in range(60)],
}  # fmt: skip


SETTINGS = {
    "in time": {"activity": "none"},
    "active days": {"clock": "active_days"},
    "sessions": {"clock": "sessions", "session_us": SESSIONS},
    "burn-in": {"burn_in_days": 15.0},
    "folders": {"group_by": "folder"},
    "active days, in time": {"clock": "active_days", "activity": "none"},
}


@cache
def poor(log):
    """One history a log, so that what several models ask for is made once."""
    return history(LOGS[log])


@cache
def under(settings):
    """A log under other settings."""
    return history(random_windows(9, 60, nodes=5, spaces=(0, 2)), **SETTINGS[settings])


def fits_or_refuses(name, found):
    """A fit that is one, or a sentence; never another error, never a number that is none."""
    try:
        fit = MODELS[name].fit(found, training(found, 1.0, cases=150, rows=800))
    except InputError as refused:
        is_a_sentence(refused)
        return
    edge = np.arange(found.edges)
    asked = found.asked(edge, np.full(len(edge), found.recall_us[-1] + DAY_US))
    intensity = fit.intensity(asked)
    assert np.isfinite(intensity).all()
    assert (intensity >= 0).all()
    chances = []
    for days in (1.0, 7.0):
        try:
            chances.append(fit.predict(asked, days))
        except InputError as refused:
            is_a_sentence(refused)
            assert name == "logistic"
    for chance in chances:
        assert np.isfinite(chance).all()
        assert ((chance >= 0) & (chance <= 1)).all()
    if name != "logistic":
        assert (chances[1] >= chances[0] - 1e-12).all()
    for key, estimate in fit.parameters.items():
        assert np.isfinite(estimate.value) or estimate.verdict, key
    fit.half_life(asked)
    fit.details()


def is_a_sentence(refused):
    """Problem and cure."""
    assert len(str(refused)) > 30
    assert refused.cure


@pytest.mark.filterwarnings("error:::hebb_lab")
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("name", MODELS)
def test_a_poor_log_is_fitted_with_a_verdict_or_refused_with_a_sentence(name, log):
    fits_or_refuses(name, poor(log))


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("name", MODELS)
def test_every_model_runs_on_every_clock_measure_and_grouping(name, settings):
    fits_or_refuses(name, under(settings))


def test_a_model_that_does_not_apply_is_an_input_error_of_its_own_kind():
    assert issubclass(NotApplicableError, InputError)
    with pytest.raises(NotApplicableError, match="not known"):
        MODELS["oracle"].fit(history(LOGS["one edge"]), Training(until=40))


def test_cases_are_drawn_once_for_all_models_that_ask_for_as_many():
    found, _ = world()
    train = training(found)
    assert train.drawn(found) is train.drawn(found)
    assert train.drawn(found, 10**9) is train.drawn(found)
    few = train.drawn(found, 40)
    assert 10 <= len(few.event) <= 80
    assert few.left_out + len(few.event) == len(found.reactivations(0, train.until))


def test_the_cases_of_a_training_end_before_it():
    found, _ = world()
    cases = Training(until=50).drawn(found)
    assert found.event_recall[cases.event].max() < 50
    assert (cases.moments.seen < 50).all()


def linked(windows, until):
    found = history(windows)
    design = Design([Constant(found)])
    link = fit_link(design, found, until)
    return found, Linked(found, design, link, np.array([5.0, 9.0])), link


def test_a_linked_fit_answers_with_its_terms_its_coefficients_and_its_groups_half_lives():
    found, fit, _ = linked(random_windows(4, 150, nodes=6, spaces=(0, 1)), 120)
    asked = late(found)
    for group in range(2):
        own = found.group[asked.edge] == group
        events, spans = counted(found, group, 120)
        rate = (events + 0.5) / spans
        np.testing.assert_allclose(fit.intensity(asked)[own], rate, rtol=1e-6)
        assert set(fit.half_life(asked)[own]) == {[5.0, 9.0][group]}
    _, more = found.ahead(asked, 7.0)
    np.testing.assert_allclose(fit.predict(asked, 7.0), 1 - np.exp(-fit.intensity(asked) * more))


def test_shares_tell_how_many_events_stand_behind_them_and_what_is_wrong():
    few = [window(900, [20, 21], 1), window(901, [20, 21], 1)]
    found, _, link = linked(random_windows(4, 150, nodes=6) + few, 152)
    named = link_parameters(link, found, ("constant",))
    assert named["share_constant[personal]"].value == 1
    assert named["share_constant[personal]"].verdict == ""
    assert named["share_constant[shared]"].events == 1
    assert "pooled" in named["share_constant[shared]"].verdict
    broken = type(link)(**{**link.__dict__, "converged": np.zeros(2, bool)})
    verdicts = {e.verdict for e in link_parameters(broken, found, ("constant",)).values()}
    assert verdicts == {"the likelihood did not converge"}
