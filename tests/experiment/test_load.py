"""The dataset that a config names."""

import numpy as np
import pytest

from hebb_lab.corpora.built_in import PRESETS
from hebb_lab.errors import ConfigError
from hebb_lab.experiment.load import load
from hebb_lab.experiment.settings import DatasetSettings
from tests.corpora.locomo.made import locomo


def test_memories_are_made_by_preset_and_seed():
    settings = DatasetSettings(name="memories", reader="memories", preset="tiny", seed=3)
    made = load(settings, None)
    assert made.name == "memories:tiny"
    assert made.sha256() == PRESETS["tiny"](np.random.default_rng(3)).sha256()


@pytest.mark.parametrize("reader", ["simulated", "memories"])
def test_an_unknown_preset_is_refused_with_those_there_are(reader):
    with pytest.raises(ConfigError, match=r"dataset\.preset 'none'\. Use one of team, tiny"):
        load(DatasetSettings(name=reader, reader=reader, preset="none"), None)


def test_locomo_is_read_as_the_settings_say(tmp_path):
    settings = DatasetSettings(
        name="locomo", reader="locomo", path=str(locomo(tmp_path)), unit="session",
        index="pooled", categories=(5,), dates=False,
    )  # fmt: skip
    made = load(settings, None)
    assert made.name == f"locomo:{tmp_path.name}"
    assert made.memories.scopes == ("all",)
    assert made.texts["conv-1/session_2"] == "Ann: Bob's plum\nis ripe."
    assert made.questions.category == ("adversarial",)


def test_locomo_without_a_path_is_refused():
    with pytest.raises(ConfigError, match=r"dataset=locomo needs a log.*dataset\.path"):
        load(DatasetSettings(name="locomo", reader="locomo"), None)
