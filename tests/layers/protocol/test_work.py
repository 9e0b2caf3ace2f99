"""Arms are answered together, judged, kept, and resumed; what fails does not stop the others."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.evaluation.attribution import all_sets
from hebb_lab.graph.cognitive.rules import PARTS
from hebb_lab.layers.protocol.bench import Bench
from hebb_lab.layers.protocol.keep import trec_ids
from hebb_lab.runs import PER_QUERY_SCHEMA, RunWriter
from tests.experiment.tiny import composed
from tests.layers.made import finished, work_on, write_corpus

FEW = {"families": ["add", "remove", "sets", "tuned"], "layers": ["hebbian", "chain"],
       "tuning": {"start": None, "metric": "nDCG@10", "starts": {"start": {}},
                  "rounds": 1, "folds": 2,
                  "grid": {"merge_chain": [1.0, 0.1]}}}  # fmt: skip


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "corpus")


def test_every_arm_has_one_row_a_question(stored_run):
    rows = stored_run.per_query
    ok = [arm for arm, entry in stored_run.arms.items() if entry["status"] == "ok"]
    assert rows.schema == pl.Schema(PER_QUERY_SCHEMA)
    assert set(rows.group_by("arm").len()["len"]) == {23}
    assert set(rows["arm"]) == set(ok)


def test_an_arm_that_fails_is_kept_with_its_error_and_the_others_go_on(stored_run):
    arms = stored_run.arms
    assert (arms["hybrid"]["status"], arms["hybrid"]["error"]) == ("failed", "ValueError: boom")
    assert arms["dense"]["status"] == "skipped"
    assert arms["hybrid_rrf"]["status"] == "ok"
    assert stored_run.result["status"] == "failed_arms"


def test_the_sets_of_layers_are_all_there_and_share_out_the_credit(stored_run):
    asked = stored_run.result["attribution"]
    held = {frozenset(layers) for layers in asked["sets"].values()}
    assert (asked["kind"], asked["parts"]) == ("shapley", list(PARTS))
    assert held == set(all_sets(PARTS))


def test_what_layers_did_is_kept_with_each_arm(stored_run):
    entry = stored_run.arms["add_chain"]
    (use,) = entry["layers"]
    task = use["tasks"]["question_to_evidence"]
    assert (task["found"], task["queries"], use["edges"]) == (23, 23, 7)
    assert entry["added"]["question_to_evidence"]["gold"] == 23
    assert entry["expansion_rate"] == entry["candidate_rate"] == {"question_to_evidence": 1.0}
    assert stored_run.arms["base"]["added"]["question_to_evidence"]["listed"] == 0
    assert stored_run.arms["add_stdp"]["layers"][0]["failures"] == {"empty": 1}


def test_arms_with_the_same_ranking_have_the_same_hash(stored_run):
    arms = stored_run.arms
    assert arms["add_stdp"]["rankings"] == arms["base"]["rankings"]
    assert arms["add_chain"]["rankings"] != arms["base"]["rankings"]


def test_the_run_says_what_its_stack_is_and_keeps_the_kinds_of_questions(stored_run):
    layers = stored_run.result["layers"]
    assert (layers["stack"]["seeder"], layers["memories"]) == ("bm25", 24)
    assert layers["scopes"] == [{"scope": "all", "memories": 24, "questions": 23}]
    questions = pl.read_parquet(stored_run.folder / "questions.parquet")
    assert {name.lower() for name in questions["category"]} == {"even", "odd"}
    assert len(questions) == 23


def test_a_second_run_answers_only_what_is_missing(corpus, tmp_path):
    work = work_on(corpus, cognitive=FEW)
    place = tmp_path / "layers" / "abc"
    with RunWriter(place, composed("+exp=layers", "dataset=corpus"), work.columns) as writer:
        work.run(writer, lambda *what: None)
        (writer.partial / "arms" / "add_chain.json").unlink()
    again = work_on(corpus, cognitive=FEW)
    run, told = finished(place, again)
    asked = {plan.layers for call in again.bench._pipelines["all"].calls for plan in call}
    assert asked == {("chain",), ()}
    assert told[-1] == ("", len(again.arms), len(again.arms))
    assert run.result["status"] == "ok"


def test_a_run_gives_the_same_numbers_again(corpus, tmp_path):
    ones = [finished(tmp_path / name, work_on(corpus, cognitive=FEW))[0] for name in ("a", "b")]
    assert ones[0].per_query.equals(ones[1].per_query)
    assert [e["picks"] for e in ones[0].arms.values()] == [
        e["picks"] for e in ones[1].arms.values()
    ]


def test_each_fold_is_answered_by_the_rules_that_the_others_chose(corpus, tmp_path):
    # of the questions whose second gold is the next memory, a strong chain is never worse
    grid = {"merge_chain": [0.0, 1.0]}
    cognitive = {**FEW, "rules": {**work_on(corpus).settings.cognitive.rules, "merge_chain": 0.0},
                 "tuning": {**FEW["tuning"], "grid": grid}}  # fmt: skip
    run, _ = finished(tmp_path / "abc", work_on(corpus, cognitive=cognitive))
    picks = run.arms["tuned"]["picks"]
    assert [pick["fold"] for pick in picks] == ["part 1 of 2", "part 2 of 2"]
    assert all(pick["changed"] == {"merge_chain": 1.0} for pick in picks)
    assert all(pick["chosen"] > pick["start"] for pick in picks)
    assert run.arms["tuned"]["added"]["question_to_evidence"]["gold"] == 23
    assert run.arms["tuned_without_chain"]["added"]["question_to_evidence"]["gold"] == 0


def test_what_the_first_start_reaches_alone_is_an_arm_of_its_own(corpus, tmp_path):
    # the strong chain is only where the second start begins, and no setting of the grid
    tuning = {**FEW["tuning"], "grid": {"temporal_hops": [3, 2]},
              "starts": {"start": {}, "strong": {"merge_chain": 1.0}}}  # fmt: skip
    cognitive = {**FEW, "rules": {**work_on(corpus).settings.cognitive.rules, "merge_chain": 0.0},
                 "tuning": tuning}  # fmt: skip
    run, _ = finished(tmp_path / "abc", work_on(corpus, cognitive=cognitive))
    arms = run.arms
    gold = {arm: arms[arm]["added"]["question_to_evidence"]["gold"]
            for arm in ("tuned", "tuned_from_start")}  # fmt: skip
    assert gold == {"tuned": 23, "tuned_from_start": 0}
    assert {pick["begin"] for pick in arms["tuned"]["picks"]} == {"strong"}
    for pick, alone in zip(arms["tuned"]["picks"], arms["tuned_from_start"]["picks"], strict=True):
        assert [top["begin"] for top in pick["tops"]] == ["start", "strong"]
        assert pick["tops"][1]["own"] > pick["tops"][0]["own"]
        assert (alone["begin"], alone["changed"]) == ("start", {})
        assert alone["chosen"] == pick["start"]
    assert arms["tuned"]["config_id"] != arms["tuned_from_start"]["config_id"]


def test_data_with_nothing_to_choose_on_skips_the_tuned_arms_with_the_reason(tmp_path):
    folder = write_corpus(tmp_path / "corpus", clusters=1)
    run, _ = finished(tmp_path / "abc", work_on(folder, cognitive=FEW))
    assert run.arms["tuned"]["status"] == "skipped"
    assert "chosen on other scopes" in run.arms["tuned"]["error"]
    assert run.result["status"] == "ok"


def test_a_search_that_fails_fails_the_tuned_arms_alone(corpus, tmp_path, monkeypatch):
    work = work_on(corpus, cognitive=FEW)
    asked = Bench.answer

    def answer(self, plans, told=None):
        if any(plan.rules.merge_chain == 0.1 for plan in plans):
            raise ValueError("out of range")
        return asked(self, plans, told)

    monkeypatch.setattr(Bench, "answer", answer)
    run, _ = finished(tmp_path / "abc", work)
    assert run.arms["tuned"]["error"] == "ValueError: out of range"
    assert run.arms["full"]["status"] == "ok"


def test_arms_of_one_direct_search_are_asked_together(corpus, tmp_path):
    work = work_on(corpus, cognitive={**FEW, "families": ["add", "remove"]})
    finished(tmp_path / "abc", work)
    assert max(len(call) for call in work.bench._pipelines["all"].calls) == len(work.arms)


def test_arms_that_fail_together_run_alone(corpus, tmp_path, monkeypatch):
    work = work_on(corpus, cognitive={**FEW, "families": ["add"]})
    asked = Bench.answer

    def answer(self, plans, told=None):
        if ("chain",) in [plan.layers for plan in plans]:
            raise MemoryError("too much")
        return asked(self, plans, told)

    monkeypatch.setattr(Bench, "answer", answer)
    run, _ = finished(tmp_path / "abc", work)
    status = {arm: entry["status"] for arm, entry in run.arms.items()}
    assert status == {"base": "ok", "full": "ok", "add_hebbian": "ok", "add_chain": "failed"}
    assert (run.folder / "arms" / "add_chain.traceback.txt").is_file()


def test_an_arm_without_its_extra_is_skipped_with_those_like_it(corpus, tmp_path):
    work = work_on(
        corpus, fails={"dense": MissingExtraError("no vectors", "Install it")},
        cognitive={"families": [], "arms": {"a": {"seeder": "dense"}, "b": {"seeder": "dense"}}},
    )  # fmt: skip
    run, _ = finished(tmp_path / "abc", work)
    assert {run.arms[arm]["status"] for arm in ("a", "b")} == {"skipped"}
    assert run.arms["a"]["error"] == "no vectors. Install it."


def test_the_metric_of_the_search_counts_the_first_task_alone(corpus):
    work = work_on(corpus)
    scores = work.scores([work.stack.plan(), work.stack.plan("chain")])
    assert scores.shape == (2, 23)
    assert not np.isnan(scores).any()
    assert (scores[1] >= scores[0]).all()


def test_trec_files_hold_the_main_arms_and_the_gold(stored_run):
    lines = (stored_run.folder / "run.trec").read_text().splitlines()
    assert {line.split()[-1] for line in lines} == {"base", "full", "tuned"}
    assert len((stored_run.folder / "qrels.trec").read_text().splitlines()) == 46
    assert json.loads((stored_run.folder / "result.json").read_text())["kind"] == "layers"


def test_questions_that_several_tasks_ask_have_ids_of_their_own_in_trec_files(corpus):
    work = work_on(corpus)
    (name, task), *_ = work.tasks.items()
    ids = task.queries.query_ids
    assert trec_ids(work, name, task) == ids
    both = replace(work, tasks={name: task, "corrected": task})
    assert trec_ids(both, "corrected", task) == tuple(f"corrected:{each}" for each in ids)
