"""Small runs in this process, for tests of everything that a run is made of."""

import json

from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from hebb_lab.experiment import execute as execution
from hebb_lab.experiment.arms import arms_of
from hebb_lab.experiment.execute import execute
from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings, config_dir
from hebb_lab.experiment.workshop import Workshop
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.runs import rebuild

# Four arms, one task, few resamples: what a test of the loop around them needs.
FEW = (
    "+exp=ablation", "debug=tiny", "dataset.tasks=[first_touch]", "base=half_life_30d",
    "evaluation.resamples=50", "evaluation.flips=50",
)  # fmt: skip
FEW_ARMS = {
    "half_life_30d": {"group": "decay"},
    "half_life_1d": {"group": "decay", "rules": {"half_life_personal_days": 1}},
    "recency": {"group": "floors", "method": "recency"},
    "unused_switch": {"group": "spreading", "rules": {"boost": 0.7}},
}
# Arms of a method that no published experiment has, as a user adds them.
MEMORY_ARMS = (
    "+arms.memory={group: memory, method: memory}",
    "+arms.memory_dense={group: memory, method: memory, memory: {relevance: dense}}",
    "+arms.memory_accessed={group: memory, method: memory, memory: {relevance: none,"
    " recency_anchor: accessed, decay_in_rank: factor}}",
)


def composed(*overrides):
    """The resolved config as plain values."""
    with initialize_config_dir(version_base="1.3", config_dir=str(config_dir())):
        config = compose("config", list(overrides))
    return OmegaConf.to_container(config, resolve=True)


def few(runs, arms=None, **more):
    """The values of a run with few arms."""
    values = composed(*FEW, f"paths.runs={runs}")
    return {**values, "arms": FEW_ARMS if arms is None else arms, **more}


def run(values):
    """Execute a run from plain values."""
    return execute(Settings.from_mapping(values), values)


def workshop(*overrides, dataset=None):
    """The workshop of a config, and its settings; of another dataset if one is given."""
    settings = Settings.from_mapping(composed(*overrides))
    made = prepare(dataset or load(settings.dataset, None), settings.dataset)
    return Workshop(made, settings, arms_of(settings), choose_backend("cpu"))


def write_tables_only(patch):
    """Let runs write leaderboard.json and no figure."""
    options = rebuild.Options(("json",))
    patch.setattr(
        execution, "write_run", lambda run, folder: rebuild.write_run(run, folder, options)
    )


def rows_of(folder, *without):
    """Rows of leaderboard.json, some keys left out."""
    rows = json.loads((folder / "leaderboard.json").read_text())["rows"]
    return [{key: value for key, value in row.items() if key not in without} for row in rows]


def result_of(folder):
    return json.loads((folder / "result.json").read_text())
