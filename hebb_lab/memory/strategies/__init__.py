"""Recall: strategies by name, their fusion, the score, and what recall does to what it returns."""

from hebb_lab.memory.strategies import analogical, causal, similarity, temporal
from hebb_lab.memory.strategies.asking import strategy_names, wants_vector
from hebb_lab.memory.strategies.recalling import recall
from hebb_lab.memory.strategies.reinforcement import reinforced
from hebb_lab.memory.strategies.score import composite
from hebb_lab.memory.strategies.strategy import STRATEGIES, Found, Strategy
from hebb_lab.memory.strategies.view import View

__all__ = [
    "STRATEGIES", "Found", "Strategy", "View", "analogical", "causal", "composite", "recall",
    "reinforced", "similarity", "strategy_names", "temporal", "wants_vector",
]  # fmt: skip
