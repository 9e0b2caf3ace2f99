"""Numbers of the rules that have a least and a most."""

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.graph.cognitive.bounds import BOUNDS, check_numbers

INSIDE = {name: least for name, (least, _) in BOUNDS.items()} | {
    "hyperedge_min": 2, "hyperedge_max": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_may_be_its_least_and_its_most_and_nothing_beyond(name):
    least, most = BOUNDS[name]
    check_numbers(INSIDE)
    with pytest.raises(ConfigError, match=f"{name} is below {least}"):
        check_numbers({**INSIDE, name: least - 1})
    if most is not None:
        check_numbers({**INSIDE, name: most})
        with pytest.raises(ConfigError, match=f"{name} is above {most}"):
            check_numbers({**INSIDE, name: most + 1})


@pytest.mark.parametrize(("least", "most"), [(1, 8), (9, 8)])
def test_hyperedges_hold_two_and_more_the_least_first(least, most):
    with pytest.raises(ConfigError, match=f"hyperedges of {least} to {most}"):
        check_numbers({**INSIDE, "hyperedge_min": least, "hyperedge_max": most})
