"""Settings of a half-life experiment that cannot work are refused before anything is read."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.execute import execute
from hebb_lab.experiment.settings import Settings
from hebb_lab.halflife.protocol.settings import ORDER, HalfLifeSettings, chosen_models, known_models
from tests.experiment.tiny import composed

REFUSED = {
    "halflife.models=[frailtyy]": "unknown half-life model 'frailtyy'. Did you mean 'frailty'",
    "halflife.models=[]": r"halflife\.models is empty",
    "halflife.models=[rate,rate]": "names a model twice",
    "halflife.models=[1]": r"halflife\.models=\[1\] is not a list of names",
    "halflife.heuristic=heuristic": "unknown half-life model 'heuristic'. Did you mean",
    "halflife.heuristic=rate": r"halflife\.heuristic=rate, which every model is compared with",
    "halflife.clock=lunar": r"halflife\.clock=lunar is not a choice. Use one of wall",
    "halflife.activity=all": r"halflife\.activity=all is not a choice",
    "halflife.group_by=node": r"halflife\.group_by=node is not a choice",
    "halflife.blocks=1": r"halflife\.blocks=1 is out of range. Give 2 or more",
    "halflife.blocks=2.5": r"halflife\.blocks=2\.5 is not of type int",
    "halflife.horizons=[]": "Give days, the headline first",
    "halflife.horizons=[7,7]": "Give days, the headline first",
    "halflife.horizons=[week]": r"halflife\.horizons=\['week'\] is not a list of numbers",
    "halflife.horizons=[0]": r"halflife\.horizons=0 is out of range",
    "halflife.stride_days=0": r"halflife\.stride_days=0 is out of range",
    "halflife.controls=0": r"halflife\.controls=0 is out of range",
    "halflife.cases_max=0": r"halflife\.cases_max=0 is out of range",
    "halflife.rows_max=0": r"halflife\.rows_max=0 is out of range",
    "halflife.train_rows_max=0": r"halflife\.train_rows_max=0 is out of range",
    "halflife.burn_in_days=-1": r"halflife\.burn_in_days=-1 is out of range",
    "halflife.burn_in_days=nan": r"halflife\.burn_in_days=nan is out of range",
    "halflife.forecast_days=0": r"halflife\.forecast_days=0 is out of range",
    "halflife.resamples=0": r"halflife\.resamples=0 is out of range",
    "halflife.confidence=1": r"halflife\.confidence=1 is no coverage",
    "+halflife.clok=wall": r"unknown setting halflife\.clok. Did you mean clock",
    "seed=-1": "seed=-1 is too small",
    "kind=half_life": "unknown kind of run 'half_life'. Did you mean 'halflife'",
}


@pytest.mark.parametrize("override", REFUSED)
def test_what_cannot_work_is_refused_before_anything_is_read_or_written(override, tmp_path):
    values = composed("+exp=halflife", override, f"paths.runs={tmp_path}")
    values["dataset"]["reader"] = "table"  # reading would fail: there is no path
    with pytest.raises(ConfigError, match=REFUSED[override]):
        execute(Settings.from_mapping(values), values)
    assert list(tmp_path.iterdir()) == []


def test_all_models_run_by_default_in_the_order_of_tables():
    assert chosen_models(HalfLifeSettings()) == list(ORDER)
    assert set(ORDER) == set(known_models())


def test_one_horizon_is_a_list_of_one():
    values = composed("+exp=halflife", "halflife.horizons=3")
    assert Settings.from_mapping(values).halflife.horizons == (3,)
