"""Sentences on what was found."""

from types import SimpleNamespace

from hebb_lab.lifecycles.report.answers import _arms, growth_sentences, kept_sentences
from hebb_lab.lifecycles.report.findings import Compared
from hebb_lab.pages.families import Standing

CURVE = {
    "life": "base", "half_lives": [30.0], "threshold": 0.01, "days": list(range(366)),
    "kept": [[1 - day / 400 for day in range(366)]], "kept_needed": None,
}  # fmt: skip


def test_what_is_kept_is_told_for_the_base_life_alone():
    other = {**CURVE, "life": "other"}
    assert list(kept_sentences([CURVE, other], "base")) == [
        "Half-life 30 days keeps 92.5 % after 30 days, 75 % after 100 days, 8.75 % after 365 days."
    ]


def test_a_short_curve_is_told_as_far_as_it_goes():
    short = {**CURVE, "days": [0, 1], "kept": [[1.0, 0.9]]}
    assert list(kept_sentences([short], "base")) == []


def test_growth_tells_bytes_a_memory_and_what_came_after():
    sizes = [
        {"event": "", "memories": 500, "bytes": 1_000_000},
        {"event": "", "memories": 1_000, "bytes": 2_000_000},
        {"event": "500 forgotten", "memories": 500, "bytes": 1_100_000},
    ]
    growth = {"dimensions": 384, "memories": 1_000, "content_bytes": 50_000, "sizes": sizes}
    said = list(growth_sentences(growth))
    assert said[0].endswith("2.0 MB on the disk, 2,000 bytes each (50 of them text).")
    assert said[1] == "500 forgotten: 1.1 MB with 500 memories."
    assert list(growth_sentences({})) == []


def test_the_largest_differences_come_first_and_more_are_counted():
    standing = {f"arm_{i}": Standing(i / 100, (0.0, 1.0), 0.01, "better") for i in range(1, 11)}
    table = Compared("task", "Weights", list(standing), {"after_1_day": standing})
    stored = SimpleNamespace(
        run=SimpleNamespace(base="base"),
        entry=lambda arm: {"base": "base" if arm != "arm_9" else "other"},
    )
    said = _arms(SimpleNamespace(stored=stored), table, "after_1_day", "better")
    assert said.startswith("arm_10 +0.100, arm_9 +0.090 (to other), arm_8 +0.080")
    assert said.endswith(" and 2 more")
