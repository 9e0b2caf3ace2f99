"""The built-in corpora by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from hebb_lab.corpora.built_in.diary import DiaryParameters, diary
from hebb_lab.corpora.built_in.scenario import scenario

if TYPE_CHECKING:
    import numpy as np

    from hebb_lab.records import Dataset

PRESETS: Mapping[str, Callable[[np.random.Generator], Dataset]] = {
    "team": partial(diary, DiaryParameters(), name="memories:team"),
    "tiny": partial(
        diary,
        DiaryParameters(memories=120, questions=40, projects=5, checkpoints=3),
        name="memories:tiny",
    ),
    "scenario": lambda _: scenario(),
}
"""name → (source of randomness) → dataset."""
