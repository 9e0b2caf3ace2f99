"""A dataset made ready, and what it warns of."""

import logging

import numpy as np
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation.tasks import TaskSettings
from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import DatasetSettings, WindowSettings
from hebb_lab.records import Dataset
from tests.corpora.made import TINY, corpus
from tests.experiment.tiny import composed
from tests.made_logs import reads

RECURRING = "s.1:a s.1:b r.1:a r.1:b r.2:c"


def prepared(text, **windows):
    settings = DatasetSettings(windows=WindowSettings(**windows))
    return prepare(Dataset("made", reads(text)), settings)


def test_everything_the_arms_read_is_there():
    made = prepared(RECURRING)
    assert made.touches.nodes == ("a", "b", "c")
    assert len(made.windows) == 3
    assert (made.graph.edge_count, made.graph.event_count) == (1, 2)
    assert made.transitions.directed
    assert made.born_us.tolist() == made.touches.time_us[[0, 1, 4]].tolist()
    assert len(made.tokens) == 3
    assert (made.tokens > 0).all()


def test_one_session_is_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepared("s.1:a s.1:b s.2:a s.2:b")
    assert "one session only" in caplog.text


def test_no_recurring_pair_is_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepared("s.1:a s.1:b r.1:a r.1:c")
    assert "no pair of nodes is active together twice" in caplog.text


def test_windows_above_the_graphs_size_are_counted_in_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        made = prepared(RECURRING + " r.3:a r.3:b r.3:c", graph_max=2)
    assert "1 of 4 windows have more than windows.graph_max=2 nodes" in caplog.text
    assert made.graph.event_count == 2


def test_windows_that_teach_the_base_nothing_are_counted_in_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepared(RECURRING + " r.3:a r.3:b r.3:c", teach_max=2)
    assert "1 of 4 windows have more than windows.teach_max=2 nodes: the base" in caplog.text


def test_where_models_are_fitted_the_warning_speaks_of_no_arms(caplog):
    text = RECURRING + " r.3:a r.3:b r.3:c"
    settings = DatasetSettings(windows=WindowSettings(teach_max=2))
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepare(Dataset("made", reads(text)), settings, learners="halflife")
    (said,) = (record.getMessage() for record in caplog.records)
    assert said == (
        "1 of 4 windows have more than windows.teach_max=2 nodes: no model learns from them; raise"
        " it, or cut finer windows"
    )


def test_wider_windows_are_no_advice_where_each_session_is_one_already(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepared("s.1:a s.1:b r.1:c r.1:d")
        prepared("s.1:a s.1:b s.2:a s.2:c r.1:c")
    one, several = (r.getMessage() for r in caplog.records if "together twice" in r.getMessage())
    assert one.endswith("give a longer log, or finer windows: each session is a single window")
    assert several.endswith("wider windows with dataset.windows.by=session")


@pytest.mark.parametrize("reader", ["auto", "corpus"])
def test_a_path_that_leads_nowhere_is_an_error_of_one_sentence(tmp_path, reader):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (str(loop), "~nobody_of_that_name/logs", str(tmp_path / ("x" * 300))):
        with pytest.raises(InputError):
            load(DatasetSettings(name="made", reader=reader, path=path), None)
    with pytest.raises(ConfigError, match="needs a log"):
        load(DatasetSettings(name="made", reader=reader, path=""), None)


def test_a_healthy_log_warns_of_nothing(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        prepared(RECURRING)
    assert caplog.text == ""


def test_a_task_without_a_query_is_an_error_that_says_why():
    with pytest.raises(
        InputError, match=r"first_touch has no query.*2 × first touch.*dataset\.tasks"
    ):
        prepared("s.1:a r.1:a").task("first_touch", TaskSettings())


def test_an_unknown_task_lists_the_near_ones():
    with pytest.raises(ConfigError, match="Did you mean 'first_touch'"):
        prepared(RECURRING).task("first_tuch", TaskSettings())


def test_a_log_without_a_node_of_these_kinds_is_an_error():
    with pytest.raises(InputError, match=r"windows\.kinds"):
        prepared(RECURRING, kinds=("url",))


def test_the_simulated_dataset_follows_from_its_seed():
    first, again, other = (
        load(DatasetSettings(preset="tiny", seed=seed), None) for seed in (1, 1, 2)
    )
    assert first.log.sha256() == again.log.sha256() != other.log.sha256()
    assert first.truth is not None
    np.testing.assert_array_equal(first.truth.node, again.truth.node)


def test_an_unknown_preset_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"dataset\.preset 'huge'.*tiny"):
        load(DatasetSettings(preset="huge"), None)


def world(**settings):
    return load(DatasetSettings(name="world", reader="world", **settings), None)


def test_a_world_is_named_after_its_preset_and_follows_from_its_seed():
    first, again, other = (world(preset="frailty", edges=40, seed=seed) for seed in (1, 1, 2))
    assert first.name == "world:frailty"
    assert first.sha256() == again.sha256() != other.sha256()
    assert first.edges is not None
    assert (len(first.edges.pairs), first.edges.law) == (40, "none")


def test_the_activity_of_a_world_is_its_presets_own_unless_it_is_given():
    assert len(world(preset="shared", edges=10).edges.activity.level) == 1
    busy = world(preset="shared", edges=10, activity="vacations").edges.activity
    assert set(np.diff(np.flatnonzero(busy.level > 0))) == {2}  # a span of silence between sessions


def test_what_a_world_cannot_be_is_an_error_of_one_sentence():
    for settings, problem in (
        ({"preset": "team"}, r"dataset\.preset 'team'.*half_lives"),
        ({"preset": "tiny", "activity": "nights"}, r"dataset\.activity='nights'.*vacations"),
        ({"preset": "tiny", "edges": 0}, r"dataset\.edges=0 is not positive"),
    ):
        with pytest.raises(ConfigError, match=problem):
            world(**settings)


def test_a_quick_look_makes_every_world_small():
    plain, chosen = (
        composed("+exp=ablation", "dataset=world", "debug=tiny", *more)["dataset"]
        for more in ([], ["dataset.preset=power_law"])
    )
    assert (plain["preset"], plain["edges"]) == ("tiny", 200)
    assert (chosen["preset"], chosen["edges"]) == ("power_law", 200)


def test_a_log_needs_a_path():
    with pytest.raises(ConfigError, match=r"dataset=git needs a log.*dataset\.path"):
        load(DatasetSettings(name="git", reader="git"), None)


def test_a_missing_path_is_an_error_with_the_path(tmp_path):
    settings = DatasetSettings(name="table", reader="table", path=str(tmp_path / "gone.tsv"))
    with pytest.raises(InputError, match=r"gone\.tsv"):
        load(settings, None)


def test_an_unknown_reader_lists_the_known_ones(tmp_path):
    (tmp_path / "x.tsv").write_text("a\tb\n")
    settings = DatasetSettings(reader="tables", path=str(tmp_path / "x.tsv"))
    with pytest.raises(ConfigError, match=r"unknown reader 'tables'.*table"):
        load(settings, None)


def test_a_dataset_is_named_after_its_reader_and_its_file(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("ts\tsession\tnode\n2026-01-05T10:00:00Z\ts1\ta.py\n")
    made = load(DatasetSettings(name="table", reader="table", path=str(path)), None)
    assert made.name == "table:mine"
    assert made.log.events["node"].to_list() == ["a.py"]


def test_a_task_without_a_query_does_not_stop_the_others(caplog):
    made = prepared("s.1:a s.1:b s.1:a t.1:a t.1:b")
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        tasks = made.tasks(["first_touch", "prompt_to_files"], TaskSettings())
    assert list(tasks) == ["first_touch"]
    assert "dataset.keep_prompts=true" in caplog.text


def corpus_from(path, **settings):
    windows = WindowSettings(by=settings.pop("by", "session"))
    chosen = DatasetSettings(
        name="corpus", reader="corpus", path=str(path), windows=windows, **settings
    )
    return prepare(load(chosen, None), chosen)


def test_a_corpus_is_read_with_its_split_and_named_after_its_folder(caplog):
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        made = corpus_from(TINY)
    assert caplog.text == ""
    assert made.dataset.name == "corpus:corpus"
    assert (made.graph.edge_count, made.graph.event_count) == (24, 24)
    task = made.task("question_to_evidence", TaskSettings())
    assert task.queries.query_ids == ("q4", "q1", "q2", "q3", "q5")
    assert task.excluded == {
        "questions without qrels": 1, "gold not yet written when it is asked for": 1,
    }  # fmt: skip
    dev = corpus_from(TINY, split="dev").task("question_to_evidence", TaskSettings())
    assert dev.queries.query_ids == ("q3", "q6")
    assert dev.clusters[int(dev.queries.cluster[0])] == "repairs"


def test_injecting_a_document_costs_its_text(tmp_path):
    made = corpus_from(TINY)
    node = made.touches.nodes.index("n1")
    size = len("n1\nOpening hours The garden shop opens at ten on weekdays.\n")
    assert made.tokens[node] == -(-size // 4)


def test_a_corpus_without_sessions_says_that_association_learns_nothing(tmp_path, caplog):
    documents = [{"_id": name, "text": name} for name in "ab"]
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        corpus_from(corpus(tmp_path, documents, qrels="q1\ta\t1\n"))
    assert "no two documents are active together" in caplog.text
    assert "sessionId" in caplog.text


def test_questions_of_one_group_are_a_warning(tmp_path, caplog):
    questions = [{"_id": f"q{i}", "text": "which apple", "group": "g"} for i in (1, 2)]
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        corpus_from(corpus(tmp_path, questions=questions))
    assert "all questions are of one group" in caplog.text


def test_a_log_without_questions_says_where_they_come_from():
    with pytest.raises(InputError, match=r"question_to_evidence has no query.*dataset=corpus"):
        prepared(RECURRING).task("question_to_evidence", TaskSettings())
