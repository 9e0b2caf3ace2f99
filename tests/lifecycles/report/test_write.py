"""The report is written from the stored run alone, and the same again."""

import json

import pytest

from hebb_lab import report
from hebb_lab.lifecycles.arms.deviations import NOT_ASKED
from hebb_lab.lifecycles.report.tell import headline, tell
from hebb_lab.lifecycles.report.write import write_run
from hebb_lab.runs.rebuild import Options

FIGURES = {
    "memory_strategies_question_to_evidence", "memory_score_question_to_evidence",
    "memory_life_question_to_evidence", "memory_retention", "memory_growth",
}  # fmt: skip


@pytest.fixture(scope="module")
def page(stored_run):
    return (stored_run.folder / "memory.md").read_text()


def test_the_page_has_every_table(page):
    for title in (
        "Systems and choices", "Strategies", "Weights of the score", "Forgetting", "Lives",
        "Recency and decay in the score", "Reinforcement", "Revisions and scope",
        "Deviations, each turned by itself", "Floors and ceilings", "What is kept",
        "What was chosen on the practice questions", "How the store grows", "Arms without a result",
    ):  # fmt: skip
        assert f"## {title}\n" in page
    assert "| mine | base |" in page
    assert "- oracle: skipped: " in page


def test_the_base_is_told_at_each_horizon(page):
    assert "- base, nDCG@10: 0." in page
    assert "after 1 day, " in page
    assert "after 100 days of silence." in page


def test_too_few_clusters_for_any_test_are_said_first(page):
    said = "5 clusters: no test can tell anything from chance here (smallest p 0.0625)"
    assert page.index(f"**{said}.**") < page.index("- base, ")


def test_deviations_that_no_replay_asks_stand_in_a_sentence_and_in_no_table(page):
    assert "cannot change a ranking here: " in page
    assert [name for name in NOT_ASKED if f"| switch_{name} " in page] == []
    assert "| switch_causal | causal_walk |" in page


def test_every_figure_is_there_and_shown(stored_run, page):
    drawn = {path.stem for path in (stored_run.folder / "figures").glob("*.png")}
    assert drawn >= FIGURES
    assert all(f"![{name}](figures/{name}.png)" in page for name in FIGURES)


def test_written_again_elsewhere_it_is_the_same(stored_run, page, tmp_path):
    write_run(stored_run, tmp_path, Options(formats=("md", "json")))
    assert (tmp_path / "memory.json").read_bytes() == (
        stored_run.folder / "memory.json"
    ).read_bytes()
    again = (tmp_path / "memory.md").read_text()
    assert page.startswith(again.rstrip("\n"))  # without pictures


def test_values_say_task_days_table_and_verdict_of_every_arm(stored_run):
    rows = json.loads((stored_run.folder / "memory.json").read_text())["arms"]
    mine = [row for row in rows if row["arm"] == "mine"]
    assert [row["days"] for row in mine] == [1, 10, 100]
    assert {row["table"] for row in mine} == {"Systems and choices"}
    assert {"value", "interval", "p", "verdict", "task", "sitting"} <= mine[0].keys()


def test_the_command_line_tells_the_main_arms_and_where_everything_lies(stored_run, capsys):
    tell(stored_run.folder)
    said = capsys.readouterr().out
    assert "days of silence" in said
    assert "memory.md" in said
    assert "arm oracle: skipped" in said
    assert headline(stored_run.folder) == pytest.approx(0.153, abs=0.2)


def test_the_report_command_rebuilds_it(stored_run, page, monkeypatch):
    (stored_run.folder / "memory.md").unlink()
    monkeypatch.setattr("sys.argv", ["report", str(stored_run.folder.parents[1])])
    report.main()
    assert (stored_run.folder / "memory.md").read_text() == page
