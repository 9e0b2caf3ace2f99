"""`python -m hebb_lab.run +exp=NAME …`: compose a config, run it, write one run folder.

Exit codes: 0 all is well; 1 an arm failed or a job crashed; 2 something for the user to mend.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, cast

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from hebb_lab.errors import ConfigError, HebbLabError
from hebb_lab.experiment.settings import Settings, config_dir

if TYPE_CHECKING:
    from omegaconf import DictConfig

log = logging.getLogger("hebb_lab.run")
_started: list[bool] = []  # whether any job got past composing its config
_codes: list[int] = []  # exit codes of the jobs of this process


def job(config: DictConfig) -> float | None:
    """One composed config → one run folder; the base's first headline is returned for sweeps."""
    _started.append(True)
    sweep = HydraConfig.get().mode == RunMode.MULTIRUN
    try:
        values = _resolved(config)
        settings = Settings.from_mapping(values)
        from hebb_lab.experiment.execute import execute

        outcome = execute(settings, values)
    except HebbLabError as error:
        log.error("%s", error)
        _codes.append(2)
        if sweep:
            raise
        return None
    from hebb_lab.experiment.summary import headline, tell

    tell(outcome.folder)
    _codes.append(1 if outcome.status == "failed_arms" else 0)
    if sweep and outcome.status == "failed_arms":
        raise RuntimeError(f"{outcome.folder}: some arms failed; see arms/*.traceback.txt")
    return headline(outcome.folder)


def _resolved(config: DictConfig) -> dict[str, Any]:
    try:
        values: Any = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException as error:
        first = str(error).splitlines()[0]
        raise ConfigError(f"the config cannot be resolved: {first}", "Mend that setting") from None
    return cast("dict[str, Any]", values)


def main() -> None:
    """The command line."""
    entry = hydra.main(version_base="1.3", config_path=str(config_dir()), config_name="config")
    try:
        entry(job)()
    except SystemExit as stop:
        mend = stop.code not in (0, None) and (not _started or 2 in _codes)
        raise SystemExit(2 if mend else stop.code) from None
    sys.exit(max(_codes, default=0))


if __name__ == "__main__":
    main()
