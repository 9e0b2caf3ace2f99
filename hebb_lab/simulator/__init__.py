"""The built-in dataset: agents at work in an invented repository, with known truth."""

from hebb_lab.simulator.log import simulate
from hebb_lab.simulator.parameters import PRESETS, SimulatorParameters, parameters_from

__all__ = ["PRESETS", "SimulatorParameters", "parameters_from", "simulate"]
