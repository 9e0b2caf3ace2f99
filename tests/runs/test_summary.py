"""What a terminal shows of a run."""

import pytest

from hebb_lab.runs import read_run
from hebb_lab.runs.rebuild import Options, rebuild_run
from hebb_lab.runs.summary import headline, summary
from tests.runs import synthetic


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    stored = synthetic.write_run(
        root, queries=60, attribution=synthetic.attribution("shapley"), arms=tuple(synthetic.ARMS)
    )
    rebuild_run(stored, Options(("json",), resamples=100))
    return stored


def test_each_task_shows_its_best_arms_and_the_base_and_no_sets_of_parts(folder):
    text = summary(folder)
    blocks = text.split("\n\n")[1:3]
    assert [block.splitlines()[0] for block in blocks] == [
        "first_touch, any@10, n = 60", "all_touches, any@10, n = 60",
    ]  # fmt: skip
    for block in blocks:
        arms = [line.split()[0] for line in block.splitlines()[1:]]
        assert arms[0] == "oracle"
        assert synthetic.BASE in arms
        assert len(arms) <= 6
    assert "with decay" not in text


def test_how_many_arms_ended_how(folder):
    assert f"{len(synthetic.ARMS)} arms ({len(synthetic.ARMS) - 1} ok, 1 failed)" in summary(folder)


def test_a_difference_is_called_better_only_when_it_holds(folder):
    lines = summary(folder).splitlines()
    assert any(line.split()[0] == "oracle" and line.endswith("better") for line in lines if line)
    assert any(line.endswith("may be chance") for line in lines)


def test_the_headline_is_the_base_s_first(folder):
    run = read_run(folder)
    line = next(x for x in summary(folder).splitlines() if x.split()[:1] == [synthetic.BASE])
    assert f"{headline(run):.3f}" in line
    assert line.endswith("base")
