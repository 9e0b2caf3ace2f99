"""Reading half_lives.yaml, with a sentence for everything that it is not."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from hebb_lab.errors import InputError
from hebb_lab.halflife.export.checks import model_of, rules_of
from hebb_lab.halflife.export.fitted import FORMAT, NAME, FittedHalfLives
from hebb_lab.places import place

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FIT_FIRST = "Give the folder of a run of `python -m hebb_lab.run +exp=halflife`"
_AGAIN = "Delete that run folder and run it again"


def read_half_lives(path: str | Path) -> FittedHalfLives:
    """The half-lives that a run has fitted.

    Args:
        path: the run's folder, or its half_lives.yaml; ~ is the home folder.

    Raises:
        InputError: no run, an unfinished one, one that fitted no half-lives; a file of another
            format, a damaged one, or one with values that no fit can have made.
    """
    file = _file_of(place(path))
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", _FIT_FIRST, file) from None
    values = _parsed(content, file)
    found = values.get("format") if isinstance(values, dict) else None
    if found != FORMAT:
        what = f"is of the format {found!r}" if found else "says no format"
        raise InputError(
            f"{what}, and this version reads '{FORMAT}'", "Fit again with this version", file
        )
    if values.get("end") != FORMAT:
        raise InputError("the file is damaged: its end is missing", _cure(file), file)
    try:
        return _built(values, hashlib.sha256(content).hexdigest())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"the file is damaged: {why}", _cure(file), file) from None


def _cure(file: Path) -> str:
    """A run makes its own file again; a file that lies elsewhere is a copy of one, or edited."""
    if file.name == NAME and (file.parent / "result.json").is_file():
        return _AGAIN
    return f"Mend {file.name}, or copy it again from the folder of the run that made it"


def _file_of(path: Path) -> Path:
    """half_lives.yaml of a run's folder, or the file itself."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise InputError("there is no such run", _FIT_FIRST, path)
    file = path / NAME
    if file.is_file():
        return file
    try:
        result = json.loads((path / "result.json").read_text("utf-8"))
        kind = str(result.get("kind") or "ablation")
    except (OSError, ValueError, AttributeError):
        inside = sorted(run.name for run in path.glob("*") if (run / NAME).is_file())
        cure = f"Give one of the runs in it: {', '.join(inside[:5])}" if inside else _FIT_FIRST
        if path.name.endswith(".partial"):
            cure = "Let the run finish first: the command that began it goes on with it"
        raise InputError("is no finished run", cure, path) from None
    if kind == "halflife":
        raise InputError(f"the run has no {NAME}", _AGAIN, path)
    raise InputError(f"is a run of kind {kind}, which fits no half-lives", _FIT_FIRST, path)


def _parsed(content: bytes, file: Path) -> Any:
    """YAML as plain values."""
    from omegaconf import OmegaConf

    try:
        return OmegaConf.to_container(OmegaConf.create(content.decode()), resolve=False)
    except Exception as error:  # of the parser's many kinds
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"the file is damaged: {first}", _cure(file), file) from None


def _built(values: Mapping[str, Any], sha256: str) -> FittedHalfLives:
    models = {str(name): model_of(str(name), m) for name, m in (values["models"] or {}).items()}
    default = values["model"]
    if default is not None and default not in models:
        raise ValueError(f"model {default} has no half-lives")
    return FittedHalfLives(
        run=str(values["run"]),
        dataset_name=str(values["dataset"]["name"]),
        dataset_sha256=str(values["dataset"]["sha256"]),
        commit=values["commit"],
        code_version=str(values["code_version"]),
        seed=int(values["seed"]),
        clock=str(values["clock"]),
        unit=str(values["unit"]),
        activity=str(values["activity"]),
        group_by=str(values["group_by"]),
        rules=rules_of(values["rules"]),
        default=default,
        models=models,
        sha256=sha256,
    )
