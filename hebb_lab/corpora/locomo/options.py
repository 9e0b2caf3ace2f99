"""How LoCoMo is read: what a memory is, where it is looked for, which questions count."""

from __future__ import annotations

from dataclasses import dataclass

from hebb_lab.errors import ConfigError

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""Number in the file → name, as the numbers of questions in the paper's table show."""
_UNITS = ("turn", "session")
_INDICES = ("conversation", "pooled")


@dataclass(frozen=True)
class LocomoOptions:
    """How LoCoMo is read.

    Args:
        unit: ``turn`` or ``session``: what one memory is.
        index: ``conversation``: a question is asked to its own conversation; ``pooled``: to all.
        categories: numbers of those questions that are asked; 1 to 4 are those with an answer.
        dates: whether the session's date stands before the text that is searched.
    """

    unit: str = "turn"
    index: str = "conversation"
    categories: tuple[int, ...] = (1, 2, 3, 4)
    dates: bool = True

    def __post_init__(self) -> None:
        for name, value, known in (
            ("unit", self.unit, _UNITS),
            ("index", self.index, _INDICES),
        ):
            if value not in known:
                raise ConfigError(
                    f"dataset.{name}={value} is not a choice", f"Use {' or '.join(known)}"
                )
        wrong = [str(number) for number in self.categories if number not in CATEGORIES]
        if wrong or not self.categories:
            said = ", ".join(f"{number} {name}" for number, name in CATEGORIES.items())
            raise ConfigError(
                f"dataset.categories=[{', '.join(wrong)}] names no category of LoCoMo",
                f"Use some of {said}",
            )
