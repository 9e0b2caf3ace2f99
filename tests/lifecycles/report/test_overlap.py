"""Questions that practice could help, told apart from the others."""

import json

import polars as pl
import pytest

from hebb_lab.lifecycles.report.findings import idle
from hebb_lab.lifecycles.report.overlap import overlap_of, told
from hebb_lab.lifecycles.report.stored import Stored

OF = "question_to_evidence"


@pytest.fixture(scope="module")
def stored(stored_run):
    """The diary's run, as if practice had needed what every second question needs."""
    made = Stored.of(stored_run.folder)
    vars(made)["shared"] = {query: row % 2 for row, query in enumerate(made.shared)}
    return made


def test_both_sides_together_are_the_whole(stored):
    sittings = stored.sittings()[OF]
    overlap = overlap_of(stored, OF, sittings)
    assert list(overlap.values) == [sittings[0], sittings[-1]]
    assert overlap.shared > 0
    assert overlap.apart > 0
    assert overlap.whole <= overlap.shared
    total = overlap.apart + overlap.shared
    assert total == stored.run.tasks[sittings[0]]["n"]
    for sitting, arms in overlap.values.items():
        for arm, sides in arms.items():
            mean = (overlap.apart * sides["apart"] + overlap.shared * sides["shared"]) / total
            assert mean == pytest.approx(stored.row(sitting, arm, "nDCG@10")["value"], abs=1e-5)


def test_the_table_has_the_arms_that_practice_can_help_on_both_sides(stored):
    overlap = overlap_of(stored, OF, stored.sittings()[OF])
    sentence, *table = [line for line in told(stored, overlap) if line][1:]
    assert "10 of 20 test questions (50 %)" in sentence
    wanted = {"base", "reinforcement_off", "reinforcement_named", "co_recall_outcome", "tuned",
              "tuned_fusion"}  # fmt: skip
    assert {line.split(" | ")[0][2:] for line in table} >= wanted
    assert "nDCG@10, 100 days, some shared (n = 10)" in table[0]


def test_where_nothing_is_shared_it_is_said_and_the_values_are_kept(stored_run):
    page = (stored_run.folder / "memory.md").read_text()
    own = page.split("## Where practice needed the same, and where not\n")[1].split("## ")[0]
    assert "No test question needs a memory that earlier practice needed." in own
    (values,) = json.loads((stored_run.folder / "memory.json").read_text())["overlap"]
    assert (values["of"], values["apart"], values["shared"]) == (OF, 20, 0)
    assert values["values"]["after_1_day"]["base"]["shared"] is None


def test_a_run_that_kept_no_shares_has_no_such_table(stored, tmp_path):
    frame = pl.read_parquet(stored.run.folder / "questions.parquet").drop("shared")
    frame.write_parquet(tmp_path / "questions.parquet")
    run = type(stored.run)(tmp_path, stored.run.result)
    old = type(stored)(run, stored.board)
    assert overlap_of(old, OF, stored.sittings()[OF]) is None


def test_arms_that_cannot_act_on_the_data_are_told_and_stand_in_no_table(stored_run, stored):
    page = (stored_run.folder / "memory.md").read_text()
    still = {arm for arms in idle(stored).values() for arm in arms}
    assert still >= {"revise_new", "revise_in_place", "switch_revise", "switch_unscoped_shared",
                     "switch_temporal_needs_entity"}  # fmt: skip
    assert "because every memory here has an entity: switch_unscoped_shared." in page
    rows = json.loads((stored_run.folder / "memory.json").read_text())["arms"]
    assert not still & {row["arm"] for row in rows}
    for arm in still:
        base = stored.entry(arm)["base"]
        assert stored.entry(arm)["rankings"] == stored.entry(base)["rankings"], arm
