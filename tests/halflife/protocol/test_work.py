"""Models as arms: what one keeps, and what the result says of the log."""

import logging
import re
from dataclasses import replace

import numpy as np
import polars as pl

from hebb_lab.halflife.protocol.judge import Judged
from hebb_lab.halflife.protocol.said import result_of
from hebb_lab.halflife.protocol.store import COLUMNS, kept
from hebb_lab.halflife.protocol.work import HalfLifeWork
from hebb_lab.runs import RunWriter
from tests.halflife.small import Failing, bench, history, registered, world


def work_on(models):
    judged_on = bench(history(world(edges=60)[0]))
    splits = [block.split for block in judged_on.blocks]
    return HalfLifeWork(judged_on, splits, models, judged_on.history.rules)


def test_a_model_keeps_its_losses_and_then_its_probabilities():
    judged = Judged({}, np.array([1.0, 2.0]), np.array([0.5]), "", None)
    assert kept(judged).schema == pl.Schema(COLUMNS)
    assert kept(judged).rows() == [("cases", 1.0), ("cases", 2.0), ("rows", 0.5)]


def test_a_skipped_model_leaves_an_entry_and_no_rows(tmp_path):
    work = work_on(("oracle", "constant"))
    with RunWriter(tmp_path / "run", {}, work.columns) as writer:
        work.run(writer, lambda *_: None)
        assert list(writer.finished_arms()) == ["constant"]
        skipped, whole = writer.entries(work.models)
    assert (skipped["status"], whole["status"]) == ("skipped", "ok")
    assert set(skipped) - {"shown"} == set(whole) - {"shown"}


def test_a_model_that_cannot_even_fall_back_keeps_its_traceback(tmp_path, monkeypatch):
    work = work_on(("failing",))
    for name in ("failing", "namespace_defaults", "constant"):
        registered(monkeypatch, name, Failing(ZeroDivisionError("by nothing")))
    with RunWriter(tmp_path / "run", {}, work.columns) as writer:
        work.run(writer, lambda *_: None)
        (entry,) = writer.entries(work.models)
        assert entry["status"] == "failed"
        assert "ZeroDivisionError" in writer.file_of("failing", "traceback.txt").read_text()


def run_in(folder, work, caplog):
    """What is logged by a run."""
    with (
        caplog.at_level(logging.INFO, "hebb_lab"),
        RunWriter(folder, {}, work.columns) as writer,
    ):
        work.run(writer, lambda *_: None)
    return [(record.levelname, record.getMessage()) for record in caplog.records]


def test_without_a_bar_each_model_that_is_done_is_a_line(tmp_path, monkeypatch, caplog):
    registered(monkeypatch, "failing", Failing())
    work = work_on(("constant", "oracle", "failing"))
    first, skipped, last, why = run_in(tmp_path / "run", work, caplog)
    assert first[0] == last[0] == "INFO"
    assert re.fullmatch(r"constant: 3 blocks in \d+\.\d s \(1 of 3 models\)", first[1])
    assert skipped[1].startswith("oracle is skipped")
    ending = r"failing: 3 blocks in .* \(3 of 3 models\), fell back in 3"
    assert re.fullmatch(ending, last[1])
    assert why == (
        "WARNING",
        "failing fell back on 3 blocks and could not be fitted to the whole log:"
        " there is too little. Give more.",
    )


def test_beside_a_bar_there_is_no_line(tmp_path, caplog):
    assert run_in(tmp_path / "run", replace(work_on(("constant",)), in_lines=False), caplog) == []


def test_the_result_counts_pairs_re_activations_and_what_is_thinned_out():
    work = work_on(("constant",))
    said, facts = result_of(work.bench, work.splits, work.rules), work.bench.history
    assert said["pairs"] == facts.edges == sum(g["pairs"] for g in said["groups"].values())
    assert said["recalls"] == facts.recalls
    assert said["settings"]["stride_days"] == work.bench.stride
    assert said["scored"]["cases_thinned_out"] == 0
    alone = sum(block.cases.alone for block in work.bench.blocks)
    assert said["scored"]["cases_without_control"] == alone
    again = sum(block.rows[0].again.sum() for block in work.bench.blocks)
    assert said["scored"]["rows"][0]["again"] == again
