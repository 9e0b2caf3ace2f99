"""What the figures of a layers run show of its arms."""

from dataclasses import replace

from hebb_lab.layers.arms.standard import PAGE
from hebb_lab.layers.report.figures import figures_of
from hebb_lab.layers.report.findings import findings_of
from hebb_lab.layers.report.stored import Stored
from hebb_lab.runs.boards import board_of, settings_of
from tests.plots.looking import words

SWITCHES = "layers_switches_question_to_evidence"


def figure_of(run):
    stored = Stored(run, board_of(run))
    return dict(figures_of(findings_of(stored, settings_of(run, 20))))[SWITCHES]


def test_deviations_about_storage_are_not_drawn(stored_run):
    shown = words(figure_of(stored_run))
    assert "walk" in shown
    assert not {"incidence", "trace", "file_format", "layer_numbers"} & set(shown)


def test_a_deviation_from_another_base_says_so(stored_run):
    arms = [
        {**entry, "base": "full" if entry["arm"] == "switch_walk" else PAGE}
        if entry["group"] == "switches" else entry
        for entry in stored_run.result["arms"]
    ]  # fmt: skip
    shown = words(figure_of(replace(stored_run, result={**stored_run.result, "arms": arms})))
    assert {"deviations of the code", "deviations of the code, Δ to full"} <= set(shown)
