"""The report is written from the stored run alone, and the same again."""

import csv
import json
from dataclasses import replace

import pytest

from hebb_lab import report
from hebb_lab.graph.cognitive.published import deviations
from hebb_lab.kinds import write_overall
from hebb_lab.layers.report.page import _picks
from hebb_lab.layers.report.stored import Stored
from hebb_lab.layers.report.tell import headline, tell
from hebb_lab.layers.report.write import write_run
from hebb_lab.runs import read_run
from hebb_lab.runs.boards import board_of
from hebb_lab.runs.rebuild import Options
from hebb_lab.runs.rebuild import write_overall as overall

FIGURES = {"layers_effects_question_to_evidence", "layers_categories_question_to_evidence"}


@pytest.fixture(scope="module")
def page(stored_run):
    return (stored_run.folder / "layers.md").read_text()


def test_the_page_answers_in_plain_words(page):
    assert "- **stdp**: changes no score; it adds nothing and reorders" in page
    assert "It was a no-op: empty in 1 of 1 scopes." in page
    assert "when added to direct search (+0.240" in page
    assert f"Of {len(deviations()) - 4} deviations of the code" in page
    assert "knowledge shuffled: " in page


def test_too_few_clusters_for_any_test_are_said_first(stored_run, page, capsys):
    said = "4 clusters: no test can tell anything from chance here (smallest p 0.125)"
    assert page.index(f"**{said}.**") < page.index("- The full stack")
    tell(stored_run.folder)
    assert said in capsys.readouterr().out


def test_what_is_new_among_the_best_ten_stands_beside_what_was_lost_for_it(page):
    assert "| new at 10 | of these relevant | relevant lost at 10 |" in page
    assert "| chain | 23 | 23 | 23 | 23 | 23 | 0 |" in page


def test_an_arm_without_layers_expands_nothing(page):
    table = page[page.index("## Systems") :].split("## ")[1].splitlines()
    rows = {line.split(" | ")[0]: line.split(" | ") for line in table}
    assert rows["| base"][-3:-1] == ["–", "–"]
    assert rows["| full"][-3:-1] == ["100 %", "100 %"]


def test_the_page_has_every_table(page):
    for title in (
        "nDCG@10: what each layer is worth", "What each layer did", "Systems",
        "Deviations, each turned by itself on documented", "Null models, in full",
        "What surrounds the graph", "By the kind of question: R@10 / nDCG@10",
        "tuned: what the other scopes chose", "Arms without a result",
    ):  # fmt: skip
        assert f"## {title}" in page
    assert "- hybrid: failed: ValueError: boom" in page
    assert "| ms/question | learning s | memory |" in page
    assert "| 0.250 | 100 B | 7 |" in page
    assert page.count("| switch_") == len(deviations()) - 4


def test_deviations_that_change_no_ranking_by_definition_stand_in_a_sentence_of_their_own(page):
    assert "- 4 more (incidence, trace, file_format, layer_numbers) say how graphs" in page
    assert "change no ranking by definition.\n" in page
    assert "| switch_file_format" not in page


def test_what_folds_chose_of_the_grid_is_told_apart_from_what_a_start_set_by_hand(stored_run):
    def pick(fold, hops, own):
        changed = {"degree_cap": 1000, "merge": "sum", "temporal_hops": hops}
        tops = [{"begin": "start", "changed": {}, "others": 0.25, "own": 0.125},
                {"begin": "additive", "changed": changed, "others": 0.5, "own": own}]  # fmt: skip
        return {"fold": fold, "changed": changed, "start": 0.125, "chosen": 0.5,
                "begin": "additive", "tops": tops}  # fmt: skip

    arms = [
        {**entry, "picks": [pick("a", 1, 0.375), pick("b", 2, 0.75)]}
        for entry in stored_run.result["arms"] if entry["arm"] == "tuned"
    ]  # fmt: skip
    run = replace(stored_run, result={**stored_run.result, "arms": arms})
    text = "\n".join(_picks(Stored(run, board_of(stored_run))))
    assert "All 2 chose of the grid: merge=sum. No two agree on all." in text
    told = "| a | additive | 0.125 | 0.500 | 0.250 / 0.125 | 0.500 / 0.375 | temporal_hops=1 |"
    assert told in text
    assert "Start additive was put together by hand and not chosen on other scopes." in text
    assert "degree_cap=1000" in text[text.index("It fixes") : text.index("goes on from")]
    assert "merge=sum" in text[text.index("goes on from") :]


def test_what_older_runs_did_not_keep_of_the_search_is_a_dash(stored_run):
    arms = [
        {**entry, "picks": [{"fold": "a", "changed": {}, "start": 0.1, "chosen": 0.1}]}
        for entry in stored_run.result["arms"] if entry["arm"] == "tuned"
    ]  # fmt: skip
    run = replace(stored_run, result={**stored_run.result, "arms": arms})
    text = "\n".join(_picks(Stored(run, board_of(stored_run))))
    assert "| a | – | 0.100 | 0.100 | nothing else |" in text


def test_the_leaderboard_lists_no_sets_of_layers_and_keeps_their_rows(stored_run):
    text = (stored_run.folder / "leaderboard.md").read_text()
    rows = json.loads((stored_run.folder / "leaderboard.json").read_text())["rows"]
    assert "| add_chain |" in text
    assert "with hebbian+" not in text
    assert any(row["arm"].startswith("with hebbian+") for row in rows)
    assert "shapley of nDCG@10" in text


def test_curves_are_drawn_as_for_an_ablation_and_effects_once(stored_run, page):
    drawn = {path.stem for path in (stored_run.folder / "figures").glob("*.png")}
    assert drawn == FIGURES | {
        "any_at_k_question_to_evidence", "R_at_k_question_to_evidence",
        "budget_question_to_evidence", "layers_switches_question_to_evidence",
    }  # fmt: skip
    for name in FIGURES:
        assert f"![{name}](figures/{name}.png)" in page


def test_the_table_of_layers_has_a_line_for_each_layer_and_metric(stored_run):
    with (stored_run.folder / "layers.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 * 4
    chain = next(r for r in rows if (r["layer"], r["metric"]) == ("chain", "R@10"))
    assert (chain["added_value"], chain["kept_value"], chain["gold"]) == ("0.5", "0.5", "23")
    assert chain["learning_seconds"] == "0.25"


def test_the_report_is_the_same_when_it_is_made_again(stored_run, tmp_path):
    write_run(read_run(stored_run.folder), tmp_path, Options(("md", "json", "csv")))
    for name in ("layers.json", "layers.csv", "leaderboard.json"):
        assert (tmp_path / name).read_bytes() == (stored_run.folder / name).read_bytes()
    assert "![" not in (tmp_path / "layers.md").read_text()
    assert not (tmp_path / "figures").exists()


def test_many_runs_have_a_leaderboard_over_all(stored_run, tmp_path):
    board = write_run(stored_run, tmp_path / "one", Options(("json",)))
    write_overall([(stored_run, board)], tmp_path, Options(("md", "json")))
    assert "corpus:made" in (tmp_path / "leaderboard.md").read_text()


def test_the_command_line_tells_systems_layers_and_what_failed(stored_run, capsys):
    tell(stored_run.folder)
    told = capsys.readouterr().out
    assert "corpus:made · question_to_evidence · nDCG@10 · n = 23 questions" in told
    assert "  0.760  base" in told
    assert "100 % of the questions have candidates" in told
    assert "empty in 1 of 1 scopes" in told
    assert "arm hybrid: failed: ValueError: boom" in told
    assert "layers.md" in told


def test_the_headline_is_the_full_stacks(stored_run):
    assert headline(stored_run.folder) == 1.0


def test_the_report_command_names_the_page(stored_run, tmp_path, capsys):
    assert report.main([str(stored_run.folder), "-o", str(tmp_path), "--format", "md"]) == 1
    out = capsys.readouterr()
    assert "layers.md" in out.out
    assert "failed arms: hybrid" in out.err


def test_the_figures_of_other_kinds_of_runs_are_kept(stored_run, tmp_path):
    (tmp_path / "figures").mkdir()
    for name in ("macro_forest_first_touch", "layers_macro_old"):
        (tmp_path / "figures" / f"{name}.png").write_bytes(b"")
    board = write_run(stored_run, tmp_path / "one", Options(("json",)))
    overall([(stored_run, board)], tmp_path, Options(("json", "png")), "leaderboard_layers")
    assert [path.stem for path in (tmp_path / "figures").iterdir()] == ["macro_forest_first_touch"]
    assert (tmp_path / "leaderboard_layers.json").is_file()
