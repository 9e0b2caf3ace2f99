"""Half-life runs as small as they can be, as folders, for arms that name them."""

from hebb_lab.experiment.arms.references import Fit, Split
from hebb_lab.experiment.settings import Settings
from hebb_lab.halflife.export import write_exports
from tests.experiment.tiny import composed
from tests.halflife.export.made import estimate, model, result

EARLY, LATE, LAST = (1_600_000_000_000_000 + day * 86_400_000_000 for day in (10, 20, 30))
DAYS = "half_life_{}_days"


def half_lives(**groups):
    """Parameters of a fit from group=days."""
    return {
        f"half_life[{name}]": estimate(days, days / 2, days * 2) for name, days in groups.items()
    }


def fitted_run(folder, final, splits=(), sha256="d" * 64, name="table:log", arm="frailty", **more):
    """A folder with half_lives.yaml; splits: (until_us, parameters or why the model fell back)."""
    entry = model(arm, final, [fit for _, fit in splits])
    for stored, (until_us, _) in zip(entry["splits"], splits, strict=True):
        stored["until_us"] = until_us
    dataset = {"name": name, "sha256": sha256, "events": 900}
    folder.mkdir(parents=True, exist_ok=True)
    write_exports(result(entry, **{"dataset": dataset, **more}), folder)
    return folder


def fit(final, splits=(), sha256="d" * 64):
    """A fit of personal's half-lives, as arms hold it."""
    switch = DAYS.format("personal")
    made = tuple(Split(until_us, {switch: days}) for until_us, days in splits)
    return Fit(
        "halflife/0123", "frailty", "table:log", sha256, "f" * 64, {switch: final}, made,
        {"learning_rate": 0.3},
    )  # fmt: skip


def settings(*overrides, **more):
    return Settings.from_mapping(composed("+exp=ablation", *overrides) | more)
