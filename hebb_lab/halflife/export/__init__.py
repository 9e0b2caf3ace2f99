"""What a half-life run hands on: half_lives.yaml for hebb_lab, synapse_store.json for the store."""

from hebb_lab.halflife.export.edges import edge_frame
from hebb_lab.halflife.export.fitted import (
    FitAt,
    FittedHalfLives,
    GroupHalfLife,
    ModelHalfLives,
)
from hebb_lab.halflife.export.read import read_half_lives
from hebb_lab.halflife.export.write import write_exports

__all__ = [
    "FitAt",
    "FittedHalfLives",
    "GroupHalfLife",
    "ModelHalfLives",
    "edge_frame",
    "read_half_lives",
    "write_exports",
]
