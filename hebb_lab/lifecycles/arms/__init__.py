"""Arms of an experiment on the lives of memories, from its settings."""

from hebb_lab.lifecycles.arms.arm import Life, MemoryArm, Start
from hebb_lab.lifecycles.arms.choose import arms_of, start_of
from hebb_lab.lifecycles.arms.standard import FAMILIES

__all__ = ["FAMILIES", "Life", "MemoryArm", "Start", "arms_of", "start_of"]
