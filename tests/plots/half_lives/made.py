"""What figures of half-lives are tried with: as it is met, at its extremes, and nothing at all."""

import numpy as np

from hebb_lab.plots.half_lives.lanes import Estimate

ABOUT = "entire_cli · n = 161,204 rows of 20,113 pairs"
MODELS = (
    "constant", "rate", "moving_average", "recency", "oracle", "fixed", "namespace_defaults",
    "heuristic_deployed", "heuristic_documented", "hierarchical", "log_linear", "empirical_bayes",
    "basis", "frailty", "power_law", "logistic", "stability",
)  # fmt: skip
GROUPS = {m: "baselines" if i < 5 else "published" if i < 9 else "learned"
          for i, m in enumerate(MODELS)}  # fmt: skip
DAYS = np.geomspace(0.25, 2000, 40)
SURE = Estimate("personal", 19.5, (14, 28), reactivations=1204)
OPEN_ABOVE = Estimate("shared", 61, (23, np.inf), reactivations=310)
OPEN_BELOW = Estimate("branch:a/long-name", 0.4, (0, 1.1), reactivations=90)
OPEN = Estimate("tools", 20, (0, np.inf), reactivations=5)
NEVER = Estimate("empty", np.nan, (np.nan, np.nan))
EIGHT = (
    SURE, OPEN_ABOVE, OPEN_BELOW, OPEN, NEVER,
    Estimate("endless", np.inf, (40, np.inf), reactivations=77),
    Estimate("alone", 7, (np.nan, np.nan), reactivations=1),
    Estimate("ephemeral", 3.15, (3.15, 3.15), reactivations=12_034_567),
)  # fmt: skip


def of_colour(lines, colour):
    """The lines drawn in a colour."""
    return [line for line in lines if line.get_color() == colour]
