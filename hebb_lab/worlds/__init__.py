"""Simulated worlds: point processes of edges whose half-lives and rates are known."""

from hebb_lab.worlds.dataset import world_graph, world_log
from hebb_lab.worlds.parameters import PRESETS, WorldParameters, parameters_from

__all__ = ["PRESETS", "WorldParameters", "parameters_from", "world_graph", "world_log"]
