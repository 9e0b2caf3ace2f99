"""The registry of strategies."""

from hebb_lab.memory.strategies import STRATEGIES, Found, Strategy


def test_the_four_strategies_of_the_page_are_registered():
    assert set(STRATEGIES) == {"similarity", "temporal", "causal", "analogical"}
    assert Strategy is not Found
