"""Arms of a layers experiment, from its settings."""

from hebb_lab.layers.arms.arm import LayerArm, Stack
from hebb_lab.layers.arms.choose import arms_of, stack_of
from hebb_lab.layers.arms.standard import FAMILIES

__all__ = ["FAMILIES", "LayerArm", "Stack", "arms_of", "stack_of"]
