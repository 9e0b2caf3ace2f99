"""The built-in corpora by name."""

import numpy as np
import pytest

from hebb_lab.corpora.built_in import PRESETS


@pytest.mark.parametrize(
    ("preset", "memories", "questions"),
    [("team", 2_000, 400), ("tiny", 120, 40), ("scenario", 15, 1)],
)  # fmt: skip
@pytest.mark.parametrize("seed", [0, 5])
def test_each_preset_has_its_size_and_its_name(preset, memories, questions, seed):
    made = PRESETS[preset](np.random.default_rng(seed))
    assert made.name == f"memories:{preset}"
    assert (len(made.memories), len(made.questions)) == (memories, questions)
    assert (np.diff(made.memories.time_us) > 0).all()


def test_there_are_no_others():
    assert set(PRESETS) == {"team", "tiny", "scenario"}
