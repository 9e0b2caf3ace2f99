"""The simulated dataset as a whole: determinism, schema, order, truth."""

import hashlib
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.records import EVENT_SCHEMA, Dataset
from hebb_lab.simulator import PRESETS, parameters_from, simulate


def tiny(seed: int, **changes: float) -> Dataset:
    return simulate(parameters_from("tiny", **changes), np.random.default_rng(seed))


@pytest.fixture(scope="module")
def data() -> Dataset:
    return tiny(5, sessions=60)


def test_the_same_seed_gives_the_same_log_and_truth():
    one, two = tiny(1), tiny(1)
    assert one.log.sha256() == two.log.sha256()
    assert one.log.events.equals(two.log.events)
    assert one.texts == two.texts
    assert one.truth is not None
    assert two.truth is not None
    assert one.truth.node.tobytes() == two.truth.node.tobytes()
    assert one.truth.probability.tobytes() == two.truth.probability.tobytes()


def test_another_seed_gives_another_log():
    assert tiny(1).log.sha256() != tiny(2).log.sha256()


def test_another_process_gives_the_same_log():
    program = (
        "import numpy as np; from hebb_lab.simulator import PRESETS, simulate;"
        "print(simulate(PRESETS['tiny'], np.random.default_rng(3)).log.sha256())"
    )
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == tiny(3).log.sha256()


def test_the_log_has_the_schema_and_honest_provenance(data: Dataset):
    events = data.log.events
    assert dict(events.schema) == EVENT_SCHEMA
    assert events["line"].to_list() == list(range(1, events.height + 1))
    assert events["file"].unique().to_list() == ["simulated"]
    assert events["call_id"].n_unique() == events.height
    required = [name for name in EVENT_SCHEMA if name != "byte"]
    assert sum(events.select(pl.col(required).null_count()).row(0)) == 0


def test_sessions_lie_in_the_order_of_their_first_touch_and_time_runs_on_in_each(data: Dataset):
    sessions = data.log.events.group_by("session", maintain_order=True).agg(
        first=pl.col("time_us").first(),
        steps=pl.col("time_us").diff().min(),
        turns=pl.col("turn").diff().min(),
    )
    assert sessions["first"].is_sorted()
    assert sessions["session"].is_sorted()
    assert sessions["steps"].drop_nulls().min() > 0
    assert sessions["turns"].drop_nulls().min() >= 0
    assert data.log.events["turn"].min() == 1


def test_sessions_run_side_by_side(data: Dataset):
    interleaved = data.log.events.sort("time_us")["session"].rle().len()
    assert interleaved > data.log.events["session"].n_unique()


def test_a_file_is_edited_only_after_it_was_read_or_written_in_the_session(data: Dataset):
    opened = set()
    edits = 0
    for session, node, op in data.log.events.select("session", "node", "op").rows():
        edits += op == "edit"
        assert op != "edit" or (session, node) in opened
        if op in ("read", "write"):
            opened.add((session, node))
    assert edits > 100


def test_the_report_counts_what_is_there(data: Dataset):
    events, report = data.log.events, data.log.report
    assert report.reader == "simulated"
    assert report.events == report.calls == report.calls_with_node == events.height
    assert report.sessions == 60
    assert report.subagent_calls == (events["agent"] != "main").sum() > 0
    assert (report.first_time_us, report.last_time_us) == (
        events["time_us"].min(),
        events["time_us"].max(),
    )
    assert report.time_quality == {"exact": events.height}
    assert not report.skipped


def test_one_prompt_a_turn_whose_hash_is_right(data: Dataset):
    turns = data.log.events.group_by("session", "turn").agg(
        pl.col("query", "query_sha256").unique()
    )
    assert turns["query"].list.len().max() == 1
    for text, digest in data.log.events.select("query", "query_sha256").unique().rows():
        assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_prompts_share_words_with_the_files_of_their_turn(data: Dataset):
    """Against the same prompts given to other turns, which only chance makes fit."""
    turns = data.log.events.group_by("session", "turn", maintain_order=True).agg(
        pl.col("query").first(), pl.col("node").unique(maintain_order=True)
    )
    files = [
        set(" ".join(nodes).replace("/", " ").replace("_", " ").split()) for nodes in turns["node"]
    ]
    files = [{word.split(".")[0] for word in words} for words in files]

    def overlap(prompts: list[str]) -> float:
        pairs = zip(prompts, files, strict=True)
        return float(np.mean([len(set(text.split()) & words) for text, words in pairs]))

    prompts = turns["query"].to_list()
    shuffled = np.random.default_rng(0).permutation(prompts).tolist()
    assert overlap(prompts) > 1.5 * overlap(shuffled)


def test_every_file_of_the_repository_has_a_text(data: Dataset):
    assert data.truth is not None
    assert set(data.texts) == set(data.truth.nodes)
    assert set(data.log.events["node"]) <= set(data.texts)
    assert all(data.texts.values())


def test_what_cannot_be_simulated_is_refused():
    with pytest.raises(ConfigError, match="no share"):
        tiny(0, failures=1.5)
    with pytest.raises(ConfigError, match="not positive"):
        tiny(0, sessions=0)
    with pytest.raises(ConfigError, match="negative"):
        tiny(0, topic=-1.0)
    with pytest.raises(ConfigError, match="no parameter 'sesions'"):
        parameters_from("team", sesions=3)
    with pytest.raises(ConfigError, match="unknown preset"):
        parameters_from("huge")
    assert parameters_from("tiny", context=[1, 1]).context == (1.0, 1.0)
    assert set(PRESETS) == {"team", "tiny", "large"}


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000),
    sessions=st.integers(1, 4),
    hubs=st.integers(1, 40),
    fan_out=st.sampled_from([0.0, 1.0]),
    intensity=st.sampled_from([0.0, 1.0]),
    residual=st.sampled_from([0.0, 1.0]),
)
def test_any_world_gives_a_log_and_proper_distributions(
    seed: int, sessions: int, hubs: int, fan_out: float, intensity: float, residual: float
):
    made = tiny(
        seed, sessions=sessions, hubs=hubs, fan_out=fan_out, birth=intensity, topic=intensity,
        hub=1.0, focus=intensity, residual=residual, touches_median=2.0,
    )  # fmt: skip
    assert made.truth is not None
    assert made.log.events["session"].n_unique() == sessions
    mass = np.add.reduceat(made.truth.probability, made.truth.row_ptr[:-1])
    assert np.all(mass <= 1 + 1e-5)
    assert np.all(made.truth.probability > 0)
