"""Claims as a table and the sentence that explains it."""

import json
import shutil

from hebb_lab.halflife.report.board import board_of
from hebb_lab.halflife.report.stored import Stored
from hebb_lab.halflife.report.verdicts import legend, verdict_table
from hebb_lab.runs import read_run


def without(once, place, model):
    made = shutil.copytree(once, place)
    result = json.loads((made / "result.json").read_text())
    result["models"] = [m for m in result["models"] if m["arm"] != model]
    (made / "result.json").write_text(json.dumps(result))
    return board_of(read_run(made))


def test_a_row_a_learned_model_and_a_column_a_loss(once):
    board = board_of(read_run(once))
    table = verdict_table(board.stored, [claim._asdict() for claim in board.claims])
    assert table.head == ["model", "by partial-likelihood loss", "by log loss at 7 days"]
    assert [cells[0] for cells in table.cells] == ["frailty"]
    assert table.cells[0][2] == board.claims[0].finding


def test_a_rival_that_is_not_scored_is_named_in_the_cell(once, tmp_path):
    board = without(once, tmp_path / "a", "heuristic_deployed")
    assert board.claims[0].by_partial == "heuristic_deployed is not scored"
    assert board.claims[0].by_log_loss == "heuristic_deployed is not scored"


def test_the_legend_is_one_sentence_and_says_why_there_is_no_interval(once):
    stored = board_of(read_run(once)).stored
    notes = ["Clock: wall.", "No interval for the log loss@7d: the log has 0 stretches."]
    said = legend(stored, notes)
    assert said.startswith('"helps": ')
    assert said.endswith("; no interval for the log loss@7d: the log has 0 stretches.")
    assert said.count(".") == 1


def test_the_legend_says_what_helps_not_by_fading_where_that_may_stand(once, monkeypatch):
    stored = board_of(read_run(once)).stored
    for fades in (True, False):
        monkeypatch.setattr(Stored, "fades", lambda _, __, fades=fades: fades)
        assert ('"not by fading": the interval' in legend(stored, [])) is not fades
