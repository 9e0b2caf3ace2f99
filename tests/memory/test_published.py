"""Page and code: what differs, and that every difference is a switch."""

from dataclasses import fields

import pytest

from hebb_lab.memory import published
from hebb_lab.memory.published import DOCUMENTED, OBSERVED, deviations, switch_table
from hebb_lab.memory.rules import MemoryRules

# hebbs.md §8: topic by topic, (switch, page, code)
TOPICS = [
    ("importance_boost", 0.05, 0.0), ("decay_in_rank", "importance", "none"),
    ("half_life_gain", 1.0, 0.0), ("causal", "walk", "offset"), ("revise", "new", "in_place"),
    ("reflect_superseded", False, True), ("analogy", "graph", "context"),
    ("hnsw_search", 50, 100), ("forget_insights", "forget", "keep"),
    ("durability", "full", "normal"), ("scope_filter", "before", "after"),
    ("fresh_look", True, False), ("unflag", True, False),
    ("insights_sorted", "before", "after"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "page", "code"), TOPICS, ids=[topic[0] for topic in TOPICS])
def test_page_and_code_differ_where_the_published_comparison_says(name, page, code):
    assert getattr(DOCUMENTED, name) == page
    assert getattr(OBSERVED, name) == code


def test_each_arm_turns_what_belongs_together_and_all_of_them_make_the_code():
    together = {}
    for name, values in deviations().items():
        assert name in values
        assert not together.keys() & values.keys()
        together |= values
    assert DOCUMENTED.change(**together) == OBSERVED


def test_the_table_of_switches_has_each_of_them_once_and_the_code_where_it_differs():
    lines = switch_table().splitlines()
    assert lines[0] == "| switch | page | code | meaning |"
    assert [line.split("`")[1] for line in lines[2:]] == [part.name for part in fields(MemoryRules)]
    rows = {line.split("`")[1]: line for line in lines[2:]}
    assert rows["causal"].startswith("| `causal` | walk | **offset** |")
    assert rows["half_life_days"].startswith("| `half_life_days` | 30.0 |  |")


@pytest.mark.parametrize("said", [
    "unsalted", "microsecond", "before a restart", "over gRPC", "Offsets that outlive their edges",
    "when it is forgotten",
])  # fmt: skip
def test_what_the_code_does_and_no_switch_does_is_named(said):
    assert said in " ".join(published.__doc__.split())


@pytest.mark.parametrize("name", ["count_in_decay", "unscoped_shared", "clock_back"])
def test_a_default_that_the_page_does_not_give_says_so(name):
    (part,) = (part for part in fields(MemoryRules) if part.name == name)
    assert "page: silent" in part.metadata["help"]
