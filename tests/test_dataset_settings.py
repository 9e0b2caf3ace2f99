"""The group dataset of a config has the same values as its file."""

from dataclasses import asdict
from pathlib import Path

from omegaconf import OmegaConf

from hebb_lab.dataset_settings import DatasetSettings

BASE = Path(__file__).resolve().parents[1] / "configs" / "dataset" / "base.yaml"


def test_every_setting_stands_in_the_base_file_at_its_default():
    stored = OmegaConf.to_container(OmegaConf.load(BASE))
    known = asdict(DatasetSettings())
    assert list(stored) == list(known)
    differ = {name for name in known if name not in ("windows", "name", "reader")}
    for name in differ:
        value = known[name]
        assert stored[name] == (list(value) if isinstance(value, tuple) else value), name
    kinds = list(known["windows"]["kinds"])
    assert stored["windows"] == known["windows"] | {"kinds": kinds}
