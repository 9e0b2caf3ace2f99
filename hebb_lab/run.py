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
from hebb_lab.experiment.command_line import near_settings, with_plain_paths
from hebb_lab.experiment.settings import Settings, config_dir

if TYPE_CHECKING:
    from omegaconf import DictConfig

log = logging.getLogger("hebb_lab.run")
_started: list[bool] = []  # whether any job got past composing its config
_codes: list[int] = []  # exit codes of the jobs of this process


def job(config: DictConfig) -> float | None:
    """One composed config → one run folder; the base's first headline is returned for sweeps."""
    _started.append(True)
    try:
        values = _resolved(config)
        settings = Settings.from_mapping(values)
        from hebb_lab.experiment.execute import execute

        outcome = execute(settings, values)
    except HebbLabError as error:
        log.error("%s", error)
        _end(2, error)
        return None
    from hebb_lab.kinds import KINDS

    kind = KINDS[settings.kind]
    kind.tell(outcome.folder)
    if outcome.status == "failed_arms":
        _end(1, RuntimeError(f"{outcome.folder}: some arms failed; see arms/"))
    else:
        _codes.append(0)
    return kind.headline(outcome.folder)


def _end(code: int, error: Exception) -> None:
    """Note the exit code; a sweep whose jobs are other processes learns it by the exception."""
    _codes.append(code)
    settings = HydraConfig.get()
    here = str(settings.launcher["_target_"]).endswith("BasicLauncher")
    if settings.mode == RunMode.MULTIRUN and not here:
        raise error


def _resolved(config: DictConfig) -> dict[str, Any]:
    try:
        values: Any = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException as error:
        first = str(error).splitlines()[0]
        raise ConfigError(f"the config cannot be resolved: {first}", "Mend that setting") from None
    return cast("dict[str, Any]", values)


def main() -> None:
    """The command line."""
    sys.argv[1:] = [with_plain_paths(argument) for argument in sys.argv[1:]]
    entry = hydra.main(version_base="1.3", config_path=str(config_dir()), config_name="config")
    try:
        entry(job)()
    except SystemExit as stop:
        mend = stop.code not in (0, None) and (not _started or 2 in _codes)
        if mend and not _started:  # Hydra refused the command line and has said so
            sys.stderr.writelines(f"{said}\n" for said in near_settings(sys.argv[1:]))
        raise SystemExit(2 if mend else stop.code) from None
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. The same command goes on where it stopped.\n")
        sys.exit(130)
    sys.exit(max(_codes, default=0))


if __name__ == "__main__":
    main()
