"""Every config works: each experiment runs on its smallest size, each registered name is used."""

import json
from dataclasses import asdict

import pytest
from omegaconf import OmegaConf

from hebb_lab.experiment.arms import arms_of
from hebb_lab.experiment.methods import METHODS
from hebb_lab.experiment.settings import Settings, config_dir, known_experiments
from hebb_lab.graph.rules import DOCUMENTED, OBSERVED
from hebb_lab.halflife.protocol.settings import HalfLifeSettings
from hebb_lab.runs import read_run
from hebb_lab.telemetry.readers import READERS
from tests.experiment.tiny import composed, run, write_tables_only

CONFIGS = config_dir()
ABLATIONS = [name for name in known_experiments() if name not in ("halflife", "layers", "memory")]
DATASETS = sorted(path.stem for path in (CONFIGS / "dataset").glob("*.yaml"))


def statuses(folder):
    result = json.loads((folder / "result.json").read_text())
    return {arm["arm"]: arm["status"] for arm in result["arms"]}


@pytest.mark.parametrize("name", known_experiments())
def test_every_experiment_runs_on_its_smallest_size(name, tmp_path):
    outcome = run(composed(f"+exp={name}", "debug=tiny", f"paths.runs={tmp_path}"))
    assert outcome.status == "ok"
    found = {name: arm["status"] for name, arm in read_run(outcome.folder).arms.items()}
    assert set(found.values()) <= {"ok", "skipped"}
    assert [arm for arm, status in found.items() if status == "skipped"] in (
        [], ["dense", "bm25_dense"], ["dense", "hybrid", "hybrid_flat", "hybrid_rrf"], ["oracle"],
    )  # fmt: skip
    assert list((outcome.folder / "figures").glob("*.png"))
    for ending in ("md", "csv", "json", "tex"):
        assert (outcome.folder / f"leaderboard.{ending}").stat().st_size > 0
    assert outcome.folder.parent.name == name


@pytest.mark.parametrize("kind", ["leave_one_out", "ladder", "shapley"])
def test_every_attribution_runs(kind, tmp_path, monkeypatch):
    write_tables_only(monkeypatch)
    values = composed(
        "+exp=ablation", "debug=tiny", f"attribution={kind}", f"paths.runs={tmp_path}",
        "dataset.tasks=[first_touch]",
    )  # fmt: skip
    outcome = run(values)
    assert outcome.status == "ok"
    result = json.loads((outcome.folder / "result.json").read_text())
    sets = {"leave_one_out": 6, "ladder": 5, "shapley": 16}[kind]
    assert len(result["attribution"]["sets"]) == sets
    assert set(result["attribution"]["sets"]) <= set(statuses(outcome.folder))


def test_every_method_is_an_arm_of_some_experiment():
    used = {
        arm.method
        for name in ABLATIONS
        for arm in arms_of(Settings.from_mapping(composed(f"+exp={name}")))
    }
    assert set(METHODS) == used


def test_every_reader_has_a_dataset():
    readers = {
        composed("+exp=ablation", f"dataset={n}")["dataset"]["reader"]
        for n in DATASETS
        if n != "base"
    }
    assert readers == {*READERS, "auto", "corpus", "locomo", "memories", "simulated", "world"}


@pytest.mark.parametrize("name", [name for name in DATASETS if name != "base"])
def test_every_dataset_goes_with_every_experiment(name):
    for experiment in known_experiments():
        settings = Settings.from_mapping(composed(f"+exp={experiment}", f"dataset={name}"))
        assert settings.dataset.name == name
        assert settings.kind != "ablation" or arms_of(settings)


@pytest.mark.parametrize(("name", "rules"), [("documented", DOCUMENTED), ("observed", OBSERVED)])
def test_every_switch_stands_in_both_rule_files_at_its_value(name, rules):
    file = OmegaConf.load(CONFIGS / "rules" / "synapse" / f"{name}.yaml")
    stored = OmegaConf.to_container(file)
    assert stored == asdict(rules)
    assert list(stored) == list(asdict(rules))


@pytest.mark.parametrize("name", known_experiments())
def test_every_experiment_file_names_itself_and_a_base_that_is_an_arm(name):
    text = (CONFIGS / "exp" / f"{name}.yaml").read_text()
    assert text.startswith("# @package _global_\n")
    values = OmegaConf.to_container(OmegaConf.create(text))
    assert values["experiment"] == name
    if values.get("kind", "ablation") == "ablation":
        assert values["base"] in values["arms"]


def test_the_page_of_settings_and_the_code_have_the_same_defaults_of_the_half_life_experiment():
    stored = OmegaConf.to_container(OmegaConf.load(CONFIGS / "halflife" / "default.yaml"))
    defaults = asdict(HalfLifeSettings())
    assert list(stored) == list(defaults)
    assert {**stored, "horizons": tuple(stored["horizons"])} == defaults


def test_the_arms_that_the_issue_asks_for_are_in_the_ablation():
    arms = set(composed("+exp=ablation")["arms"])
    assert arms >= {
        "random", "popularity", "recency", "bm25", "dense", "bm25_dense", "oracle", "ungated",
        "window_cap_10", "event_weight", "npmi_admission", "potentiation_off", "hub_factor_off",
        "two_hops", "source_row", "pagerank", "additive", "budget_neutral", "power_law",
        "two_time_scales", "half_life_none", "half_life_learned", "half_life_learned_observed",
        *(f"half_life_{days}d" for days in (1, 3, 7, 30, 180)),
    }  # fmt: skip


def test_the_base_differs_from_each_one_change_arm_in_what_it_says():
    settings = Settings.from_mapping(composed("+exp=ablation"))
    arms = {arm.name: arm for arm in arms_of(settings)}
    base = asdict(arms[settings.base].rules)
    for arm in arms.values():
        if "start" in arm.changed:
            continue  # a whole rule set, not one change
        differs = {k for k, v in asdict(arm.rules).items() if v != base[k]}
        assert differs <= set(arm.changed), arm.name


def test_the_system_arms_are_the_rule_sets_that_are_published():
    settings = Settings.from_mapping(composed("+exp=ablation"))
    arms = {arm.name: arm for arm in arms_of(settings)}
    assert arms["synapse_documented"].rules == DOCUMENTED
    assert arms["synapse_observed"].rules == OBSERVED
