"""A run on the lives of memories from its config to a whole run folder."""

import json

import polars as pl
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.experiment.settings import Settings
from hebb_lab.lifecycles.protocol.execute import check, embedder_of, execute_memory
from tests.experiment.tiny import composed, run
from tests.lifecycles.made import write_corpus

FEW = ("memory.families=[reinforcement]", "recall.embedder=hashing", "evaluation.resamples=20",
       "evaluation.flips=20", "memory.retention_days=3")  # fmt: skip


def values(*overrides):
    return composed("+exp=memory", "dataset=corpus", "debug=tiny", *FEW, *overrides)


def test_a_run_is_made_found_and_told_from_a_changed_one(tmp_path):
    folder = write_corpus(tmp_path / "corpus")
    asked = values(f"dataset.path={folder}", f"paths.runs={tmp_path / 'runs'}")
    first = run(asked)
    assert first.status == "ok"
    assert run(asked).status == "found"
    result = json.loads((first.folder / "result.json").read_text())
    assert (result["kind"], result["base"]) == ("memory", "base")
    assert [e["arm"] for e in result["arms"]] == [
        "base", "reinforcement_off", "reinforcement_outcome", "reinforcement_named",
    ]  # fmt: skip
    assert [t["task"] for t in result["tasks"]] == [
        "after_1_day", "after_10_days", "after_100_days",
    ]  # fmt: skip
    assert [life["life"] for life in result["memory"]["lives"]] == [
        e["arm"] for e in result["arms"]
    ]  # fmt: skip
    for name in ("leaderboard.md", "retention.json", "growth.json", "questions.parquet"):
        assert (first.folder / name).stat().st_size > 0
    assert not (first.folder / "lives").exists()
    other = run({**asked, "memory": {**asked["memory"], "horizons": [2]}})
    assert other.folder != first.folder


def test_the_questions_of_both_sides_are_kept_with_their_times(tmp_path):
    folder = write_corpus(tmp_path / "corpus")
    done = run(values(f"dataset.path={folder}", f"paths.runs={tmp_path / 'runs'}"))
    frame = pl.read_parquet(done.folder / "questions.parquet")
    assert sorted(frame["query_id"]) == [f"q{i:02d}" for i in range(24)]
    assert dict(frame["side"].value_counts().iter_rows()) == {"test": 12, "practice": 12}
    rows = pl.read_parquet(done.folder / "per_query.parquet")
    assert set(rows["query_id"]) == set(frame.filter(pl.col("side") == "test")["query_id"])


def test_a_log_of_an_agent_is_lived_and_its_tasks_are_named_apart(tmp_path):
    asked = composed("+exp=memory", "dataset=simulated", "debug=tiny", *FEW[1:],
                     "memory.families=[revisions]", "dataset.tasks=[first_touch,all_touches]",
                     f"paths.runs={tmp_path}")  # fmt: skip
    result = json.loads((run(asked).folder / "result.json").read_text())
    assert [t["task"] for t in result["tasks"]][::3] == [
        "after_1_day", "all_touches_after_1_day",
    ]  # fmt: skip
    assert result["memory"]["steps"] > 0
    assert result["tasks"][0]["excluded"]["queries beyond memory.queries_most"] > 0


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("recall.embedder=null", "recall.embedder is null"),
        ("recall.depth=3", "recall.depth=3 is too small"),
        ("base=nobody", "base: 'nobody'"),
        ("memory.horizons=[]", "no ascending list of days"),
        ("memory.horizons=[10,1]", "no ascending list of days"),
        ("memory.horizons=[-1]", "horizons is below 0"),
        ("memory.horizons=[1,100000]", "horizons is above"),
        ("memory.practice_k=0", "practice_k is below 1"),
        ("memory.queries_most=0", "queries_most is below 1"),
        ("memory.sweep_days=0", "sweep_days is below"),
        ("memory.retention_days=-1", "retention_days is below 0"),
        ("memory.rules.causal=swim", "causal='swim' is not a choice"),
        ("memory.families=[weight]", "Did you mean 'weights'"),
        ("memory.tuning.metric=NDGC@10", "NDGC"),
        ("memory.tuning.folds=1", "folds is below 2"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_read(override, said):
    with pytest.raises(ConfigError, match=said):
        check(Settings.from_mapping(values(override)))


def test_without_a_model_hashed_words_stand_in(monkeypatch):
    monkeypatch.setattr("hebb_lab.lifecycles.protocol.execute.chosen_embedder", lambda asked: None)
    settings = Settings.from_mapping(composed("+exp=memory"))
    assert embedder_of(settings) == "hashing"


def test_the_kind_of_the_run_is_executed(tmp_path):
    folder = write_corpus(tmp_path / "corpus")
    asked = values(f"dataset.path={folder}", f"paths.runs={tmp_path / 'runs'}",
                   "memory.families=[]", "memory.growth=false")  # fmt: skip
    done = execute_memory(Settings.from_mapping(asked), asked)
    assert done.status == "ok"
    assert json.loads((done.folder / "growth.json").read_text()) == {}
