import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.registry import Registry


def colours():
    registry = Registry("colour")
    for name in ("red", "green", "grey"):
        registry.register(name)(name.upper())
    return registry


def test_entries_come_back_by_name_in_their_order():
    registry = colours()
    assert list(registry) == ["red", "green", "grey"]
    assert (registry["green"], len(registry), "blue" in registry) == ("GREEN", 3, False)


def test_registering_leaves_the_entry_as_it_is():
    entry = object()
    assert Registry("thing").register("it")(entry) is entry


def test_an_unknown_name_lists_the_near_ones_and_all():
    with pytest.raises(
        ConfigError, match=r"unknown colour 'gren'.*'green'.*Known: red, green, grey"
    ):
        colours()["gren"]


def test_a_name_that_is_near_to_none_still_lists_all():
    with pytest.raises(ConfigError) as caught:
        colours()["xyzzy"]
    assert caught.value.cure == "Known: red, green, grey"


def test_a_name_is_given_once():
    with pytest.raises(ConfigError, match="colour 'red' is registered twice"):
        colours().register("red")("again")
