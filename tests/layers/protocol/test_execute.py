"""A layers experiment from its config to a whole run folder."""

import json

import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.experiment.settings import Settings
from hebb_lab.layers.protocol.execute import check, execute_layers
from tests.experiment.tiny import composed, run
from tests.layers.made import write_corpus

FEW = ("cognitive.families=[add]", "cognitive.layers=[hebbian,chain]", "recall.embedder=null")


def values(*overrides):
    return composed("+exp=layers", "dataset=corpus", "debug=tiny", *FEW, *overrides)


def test_a_run_is_made_found_and_told_from_a_changed_one(tmp_path):
    folder = write_corpus(tmp_path / "corpus")
    asked = values(f"dataset.path={folder}", f"paths.runs={tmp_path / 'runs'}")
    first = run(asked)
    assert first.status == "ok"
    assert run(asked).status == "found"
    result = json.loads((first.folder / "result.json").read_text())
    assert (result["kind"], result["base"]) == ("layers", "base")
    assert [e["arm"] for e in result["arms"]] == ["base", "full", "add_hebbian", "add_chain"]
    for name in ("layers.md", "layers.csv", "layers.json", "leaderboard.md", "questions.parquet"):
        assert (first.folder / name).stat().st_size > 0
    other = run({**asked, "cognitive": {**asked["cognitive"], "layers": ["chain"]}})
    assert other.folder != first.folder


def test_the_first_additions_of_the_full_stack_are_traced_edge_by_edge(tmp_path):
    asked = composed("+exp=layers", "debug=tiny", "cognitive.families=[]", "recall.traces=3",
                     "recall.embedder=null", f"paths.runs={tmp_path}")  # fmt: skip
    folder = run(asked).folder
    lines = [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]
    assert len(lines) == 3
    assert {line["arm"] for line in lines} == {"full"}
    edges = [edge for line in lines for new in line["added"] for layer in new["layers"]
             for edge in layer["edges"]]  # fmt: skip
    assert {"layer", "hop", "sender", "receiver", "relation", "weight"} <= set(edges[0])


def test_a_log_that_is_no_corpus_says_what_to_give(tmp_path):
    asked = composed("+exp=layers", "dataset=simulated", "debug=tiny", f"paths.runs={tmp_path}")
    with pytest.raises(InputError, match="no memories that questions are asked of"):
        run(asked)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("cognitive.seeder=bm52", "unknown direct search 'bm52'"),
        ("cognitive.seeder=hybrid", "hybrid needs vectors, and there is no embedder"),
        ("+cognitive.arms.mine.profile=DEBUGING", "'DEBUGING'. Did you mean 'DEBUGGING'"),
        ("cognitive.tuning.start=tuned", r"cognitive\.tuning\.start: 'tuned'"),
        ("cognitive.tuning.metric=NDGC@10", "NDGC"),
        ("cognitive.tuning.rounds=0", "rounds is below 1"),
        ("cognitive.tuning.folds=1", "folds is below 2"),
        ("+cognitive.tuning.grid.wolk=[bfs]", "Did you mean 'walk'"),
        ("cognitive.rules.walk=swim", "walk='swim' is not a choice"),
        ("cognitive.families=[adds]", "Did you mean 'add'"),
        ("recall.depth=3", "recall.depth=3 is too small"),
        ("base=nobody", "base: 'nobody'"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_read(override, said):
    with pytest.raises(ConfigError, match=said):
        check(Settings.from_mapping(values(override)))


def test_the_kind_of_the_run_is_executed(tmp_path):
    folder = write_corpus(tmp_path / "corpus")
    asked = values(f"dataset.path={folder}", f"paths.runs={tmp_path / 'runs'}")
    assert execute_layers(Settings.from_mapping(asked), asked).status == "ok"
