"""Arms of an ablation: a method, rules that may change with time, and what each is compared with.

`arm`: one arm; `entries`: arms from a config; `attribution`: arms of sets of parts; `references`
and `in_time`: half-lives that a run has fitted, in place of a switch; `answerable`: which of its
fits a query may use; `notes`: what a log says of that.
"""

from hebb_lab.experiment.arms.arm import Arm
from hebb_lab.experiment.arms.attribution import attribution_arms, set_name
from hebb_lab.experiment.arms.entries import arms_of

__all__ = ["Arm", "arms_of", "attribution_arms", "set_name"]
