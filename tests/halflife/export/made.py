"""result.json of a half-life run, as small as it can be."""


def estimate(value, low=None, high=None, events=100, verdict=""):
    return {"value": value, "low": low, "high": high, "events": events, "verdict": verdict}


MOMENTS = range(1_600_000_000_000_000, 1_600_000_000_100_000, 1_000)
NOTHING = estimate(5.0, 0.0, None, 40, "not identifiable: no half-life is better than another")
ONE_END = estimate(200.0, 90.0, None, 12, "not identifiable above 90 days on this log")


def model(arm, final, splits=(), status="ok"):
    """A model's entry; splits is a list of parameters, or of sentences for those that fell back."""
    ends = zip(MOMENTS, splits, strict=False)
    return {
        "arm": arm,
        "status": status,
        "fell_back": [],
        "final": {"until_us": None, "parameters": final},
        "splits": [
            {
                "split": number,
                "until_us": until,
                "parameters": {} if isinstance(fit, str) else fit,
                "fell_back": fit if isinstance(fit, str) else None,
            }
            for number, (until, fit) in enumerate(ends, start=1)
        ],
    }


def result(*models, clock="wall", group_by="namespace", **more):
    return {
        "experiment": "halflife",
        "kind": "halflife",
        "run_id": "0123456789ab",
        "dataset": {"name": "table:log", "sha256": "d" * 64, "events": 900},
        "commit": "c" * 40,
        "seed": 0,
        "settings": {"clock": clock, "activity": "recalls", "group_by": group_by},
        "rules": {"learning_rate": 0.3, "weight_cap": None, "potentiation": True},
        "models": list(models) or [frailty()],
        **more,
    }


def frailty():
    final = {
        "half_life[personal]": estimate(0.36, 0.28, 0.42, 13_033),
        "half_life[shared]": ONE_END,
        "half_life[ephemeral]": NOTHING,
        "prior_spread": estimate(0.7),
        "half_life_alone[personal]": estimate(0.35, 0.2, 0.5),
    }
    splits = [
        {"half_life[personal]": estimate(0.5, 0.1, 2.0, 900)},
        "2 re-activations are too few to fit a half-life. Give a longer log.",
    ]
    return model("frailty", final, splits)
