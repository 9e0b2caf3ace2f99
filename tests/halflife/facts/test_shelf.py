"""What several models ask for is made once, within a budget."""

import pytest

from hebb_lab.halflife.facts.shelf import Shelf
from tests.halflife.made import history, pairs


class Maker:
    """Counts how often it is asked."""

    def __init__(self):
        self.made = 0

    def __call__(self):
        self.made += 1
        return object()


def test_what_is_on_the_shelf_is_not_made_again():
    shelf, maker = Shelf(budget=10), Maker()
    first = shelf.get("a", maker, 4)
    assert shelf.get("a", maker, 4) is first
    assert maker.made == 1


def test_what_was_asked_for_longest_ago_is_let_go_first():
    shelf, maker = Shelf(budget=10), Maker()
    for key in "abc":
        shelf.get(key, maker, 3)
    shelf.get("a", maker, 3)  # b is now the oldest
    shelf.get("d", maker, 3)
    assert maker.made == 4
    for key in "acd":
        shelf.get(key, maker, 3)
    assert maker.made == 4
    shelf.get("b", maker, 3)
    assert maker.made == 5


def test_what_takes_no_room_is_kept():
    shelf, maker = Shelf(budget=5), Maker()
    small = shelf.get("small", maker)
    shelf.get("a", maker, 5)
    shelf.get("b", maker, 5)
    assert shelf.get("small", maker) is small


def test_what_is_larger_than_the_budget_stands_alone():
    shelf, maker = Shelf(budget=5), Maker()
    shelf.get("a", maker, 3)
    large = shelf.get("large", maker, 50)
    assert shelf.get("large", maker, 50) is large
    shelf.get("a", maker, 3)
    assert maker.made == 3  # a again: it had to go
    shelf.get("large", maker, 50)
    assert maker.made == 4


def test_what_could_not_be_made_is_not_on_the_shelf():
    shelf, maker = Shelf(budget=5), Maker()

    def broken():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shelf.get("a", broken, 1)
    shelf.get("a", maker, 1)
    assert maker.made == 1


def test_each_history_has_a_shelf_of_its_own():
    one, two = (history(pairs((0, 0), (1, 0))) for _ in range(2))
    assert one.arrays() is one.arrays()
    assert one.arrays() is not two.arrays()
    assert one.shelf is not two.shelf
