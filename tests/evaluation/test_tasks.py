"""Tasks on logs made by hand, with known questions and answers."""

from dataclasses import replace

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.evaluation import judge, parse
from hebb_lab.evaluation.tasks import TASKS, TaskData, TaskSettings
from hebb_lab.records import Memories, QuestionCues, Questions
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import co_activations, window_of_touch
from tests.made_logs import DAY, SECOND, START, commits, event, log_of, reads


def data_of(log, by="turn"):
    touches = touches_of(log)
    window = window_of_touch(touches, by)
    return TaskData(log, touches, co_activations(touches, window), window)


def asked(name, log, by="turn", **settings):
    """The task as [(seconds, seeds, gold, excluded)] in names."""
    data = data_of(log, by)
    task = TASKS[name](data, TaskSettings(**settings))
    queries, qrels, names = task.queries, task.qrels, data.touches.nodes

    def named(ids, pointer, q):
        return [names[i] for i in ids[pointer[q] : pointer[q + 1]].tolist()]

    return [
        (
            (int(queries.time_us[q]) - START) // SECOND,
            named(queries.seed_ids, queries.seed_ptr, q),
            named(qrels.ids, qrels.ptr, q),
            sorted(named(queries.exclude_ids, queries.exclude_ptr, q)),
        )
        for q in range(len(queries))
    ], task


def test_a_first_touch_is_asked_once_and_what_the_session_has_touched_is_no_answer():
    questions, task = asked("first_touch", reads("s.1:a s.1:b s.1:a s.1:b s.2:c s.2:a"))
    assert questions == [
        (10, ["a"], ["b"], ["a"]),
        (40, ["b", "a"], ["c"], ["a", "b"]),
    ]
    assert task.excluded == {"first touch of a session: no node is in view": 1}


def test_all_touches_ask_for_every_other_node_and_bar_only_the_one_in_hand():
    questions, _ = asked("all_touches", reads("s.1:a s.1:b s.1:b s.1:a s.2:c s.2:a"))
    assert questions == [
        (10, ["a"], ["b"], ["a"]),
        (30, ["b", "a"], ["a"], ["b"]),
        (40, ["a", "b"], ["c"], ["a"]),
        (50, ["c", "a", "b"], ["a"], ["c"]),
    ]


def test_seeds_are_the_last_three_distinct_nodes_weighted_by_powers_of_0_6():
    questions, task = asked("first_touch", reads("s.1:a s.1:b s.1:c s.1:b s.1:d s.1:e"))
    assert questions[-1] == (50, ["d", "b", "c"], ["e"], ["a", "b", "c", "d"])
    energy = task.queries.seed_energy[task.queries.seed_ptr[-2] :]
    np.testing.assert_array_equal(energy, np.array([1.0, 0.6, 0.36], np.float32))


def test_the_number_of_seeds_and_their_decay_are_settings():
    _, task = asked("first_touch", reads("s.1:a s.1:b s.1:c"), seeds=1, seed_decay=0.5)
    assert task.queries.seed_energy.tolist() == [1.0, 1.0]


def test_sessions_do_not_see_each_other():
    questions, task = asked("first_touch", reads("s.1:a r.1:b s.1:c r.1:a"))
    assert questions == [(20, ["a"], ["c"], ["a"]), (30, ["b"], ["a"], ["b"])]
    assert task.queries.cluster.tolist() == [0, 1]
    assert task.clusters == ("s", "r")


def test_a_query_knows_the_row_that_answers_it():
    rows = [
        event("a", 1, "x", START), event("a", 1, "y", START + 20), event("b", 1, "x", START + 5),
        event("b", 1, "z", START + 10),
    ]  # fmt: skip
    data = data_of(log_of(rows))
    task = TASKS["first_touch"](data, TaskSettings())
    assert task.queries.event_row.tolist() == [3, 1]


def test_of_a_commit_each_known_node_is_the_seed_once_and_the_others_are_gold():
    questions, _ = asked("co_change", commits("a b c", "d", "a c new"), by="commit")
    two_days = 2 * DAY // SECOND
    assert questions == [(two_days, ["a"], ["c"], ["a"]), (two_days, ["c"], ["a"], ["c"])]


def test_commits_of_one_known_node_or_of_more_than_15_are_not_asked():
    many = " ".join(f"n{i:02d}" for i in range(16))
    questions, task = asked("co_change", commits(many, many, "n00 x", "n00 n01"), by="commit")
    assert [gold for _, _, gold, _ in questions] == [["n01"], ["n00"]]
    assert task.excluded == {"windows of too few or many known nodes": 3}


def test_a_commit_of_15_known_nodes_is_asked_15_times():
    many = " ".join(f"n{i:02d}" for i in range(15))
    questions, _ = asked("co_change", commits(many, many), by="commit")
    assert len(questions) == 15
    assert {len(gold) for _, _, gold, _ in questions} == {14}


def test_commits_of_more_than_30_files_are_not_asked_but_are_known_afterwards():
    news = " ".join(f"n{i:02d}" for i in range(31))
    questions, task = asked("co_change", commits(news, "n00 n30"), by="commit")
    assert len(questions) == 2
    assert task.excluded == {"windows of more than 30 nodes": 1}
    few = " ".join(f"n{i:02d}" for i in range(30))
    questions, _ = asked("co_change", commits("n00 n01", few), by="commit")
    assert [gold for _, _, gold, _ in questions] == [["n01"], ["n00"]]


def test_only_the_last_share_of_the_commits_is_asked():
    log = commits(*["a b"] * 10)
    questions, _ = asked("co_change", log, by="commit", test_share=0.2)
    days = sorted({seconds * SECOND // DAY for seconds, _, _, _ in questions})
    assert days == [8, 9]
    assert len(questions) == 4


def test_a_deleted_file_is_no_gold():
    rows = [event("c0", 1, node, START, source="commit") for node in "abc"]
    rows += [
        event("c1", 1, "a", START + DAY, source="commit"),
        event("c1", 1, "b", START + DAY, source="commit", op="delete"),
        event("c1", 1, "c", START + DAY, source="commit"),
    ]
    questions, _ = asked("co_change", log_of(rows), by="commit")
    assert [gold for _, _, gold, _ in questions] == [["c"], ["a"]]


def test_a_node_first_touched_while_the_window_was_open_is_not_known():
    # r ends before s does, but "late" is born after the question about s is asked
    log = reads("q.1:a q.1:b s.1:a r.1:late s.1:b s.1:late")
    questions, _ = asked("co_change", log)
    assert [(seeds, gold) for _, seeds, gold, _ in questions] == [(["a"], ["b"]), (["b"], ["a"])]


def test_a_continuation_shows_the_first_three_nodes_and_asks_for_the_rest():
    log = reads("s.1:a s.1:b s.1:a s.1:c s.1:d s.2:e s.2:a r.1:a r.1:b")
    questions, task = asked("continuation", log)
    assert questions == [(40, ["c", "b", "a"], ["d", "e"], ["a", "b", "c"])]
    assert task.excluded == {"sessions with too few nodes": 1}


def test_a_prompt_asks_for_what_is_touched_before_the_next():
    texts = {1: "mend the walk", 2: "now the docs", 3: None}
    rows = [
        event("s", turn, node, START + i * SECOND, query=texts[turn])
        for i, (turn, node) in enumerate([(1, "a"), (1, "b"), (1, "a"), (2, "c"), (3, "d")])
    ]
    questions, task = asked("prompt_to_files", log_of(rows))
    assert questions == [(0, [], ["a", "b"], []), (3, [], ["c"], [])]
    assert task.queries.texts == ("mend the walk", "now the docs")
    assert task.excluded == {"turns without a prompt's text": 1}


def test_a_log_without_a_clock_is_asked_in_its_order():
    rows = [event(s, 1, n, None) for s, n in ["ra", "rb", "qa", "qb"]]
    questions, task = asked("first_touch", log_of(rows))
    assert [gold for _, _, gold, _ in questions] == [["b"], ["b"]]
    assert (np.diff(task.queries.time_us) > 0).all()


def test_equal_times_are_asked_in_the_order_of_the_log():
    rows = [event("s", 1, node, START) for node in "abc"]
    questions, task = asked("first_touch", log_of(rows))
    assert [gold for _, _, gold, _ in questions] == [["b"], ["c"]]
    assert (task.queries.time_us - START).tolist() == [1, 2]


def test_a_clock_that_goes_back_keeps_the_questions_in_the_order_of_the_file():
    times = [START + 9, START, START + 3]
    rows = [event("s", 1, n, t) for n, t in zip("abc", times, strict=True)]
    questions, _ = asked("first_touch", log_of(rows))
    assert [gold for _, _, gold, _ in questions] == [["b"], ["c"]]


def test_a_head_keeps_whole_queries():
    _, task = asked("first_touch", reads("s.1:a s.1:b s.1:c s.1:d"))
    head = task.head(2)
    assert len(head.queries) == 2
    assert len(task.head(99).queries) == 3


def corpus_of(
    gold, times=None, groups=None, strays=0, log=None, task="question_to_evidence",
    memories=None, **more
):  # fmt: skip
    """The task over documents a, b and c, with one question for each gold."""
    count = len(gold)
    asked = Questions(
        tuple(f"q{i}" for i in range(count)), tuple(f"words {i}" for i in range(count)),
        times or (None,) * count, groups or tuple(f"q{i}" for i in range(count)),
        tuple((tuple(found), tuple(found.values())) for found in gold), strays, **more,
    )  # fmt: skip
    data = data_of(log or reads("s.1:a s.1:b r.1:c"), "session")
    return TASKS[task](replace(data, questions=asked, memories=memories), TaskSettings())


def judged(*golds):
    """Gold of grade 1, a text of names for each question."""
    return tuple((tuple(names), (1,) * len(names)) for names in golds)


def test_corrected_gold_is_asked_for_where_the_official_and_the_corrected_find_a_document():
    gold = [{"a": 1}, {"a": 1}, {}, {"a": 0}]
    task = corpus_of(
        gold, task="question_to_corrected_evidence", corrected=judged("bc", "", "b", "b")
    )
    assert task.queries.query_ids == ("q0",)
    assert task.qrels.ids.tolist() == [1, 2]
    assert task.excluded == {"questions without qrels": 3}


def test_without_corrections_there_is_no_corrected_gold():
    task = corpus_of([{"a": 1}], task="question_to_corrected_evidence")
    assert len(task.queries) == 0
    assert task.excluded == {"log without corrected evidence": 1}


def test_a_question_to_one_scope_is_not_answered_by_the_documents_of_others():
    made = Memories.plain(
        ("a", "b", "c"), ("x", "y", "z"), np.arange(3), np.zeros(3, np.int32), ("s",)
    )
    made = replace(made, scope=np.array([0, 1, 0], np.int32), scopes=("one", "two"))
    cues = tuple(QuestionCues(scope=scope) for scope in ("one", "two", ""))
    task = corpus_of([{"a": 1}, {"b": 1}, {"a": 1}], memories=made, cues=cues)
    barred = np.split(task.queries.exclude_ids, task.queries.exclude_ptr[1:-1])
    assert [each.tolist() for each in barred] == [[1], [0, 2], []]


def test_a_question_is_asked_after_everything_and_its_grades_are_kept():
    task = corpus_of([{"c": 3, "a": 1}, {"b": 2, "a": 0}])
    queries = task.queries
    assert queries.query_ids == ("q0", "q1")
    assert queries.texts == ("words 0", "words 1")
    assert queries.time_us.tolist() == [START + 20 * SECOND + 1] * 2
    assert task.qrels.ids.tolist() == [2, 0, 1]
    assert task.qrels.grades.tolist() == [3, 1, 2]
    assert len(queries.seed_ids) == len(queries.exclude_ids) == 0
    assert task.excluded == {}


def test_a_question_with_a_time_knows_what_was_written_strictly_before():
    late, middle = START + DAY, START + 10 * SECOND
    gold = {"a": 1, "b": 2, "c": 3}
    task = corpus_of([gold, gold], times=(late, middle))
    assert task.queries.query_ids == ("q1", "q0")
    assert task.queries.time_us.tolist() == [middle, late]
    assert np.split(task.qrels.ids, task.qrels.ptr[1:-1])[0].tolist() == [0]
    assert task.excluded == {"gold not yet written when it is asked for": 2}


def test_what_cannot_be_asked_is_counted_by_reason():
    task = corpus_of([{"a": 1, "z": 2, "y": 1}, {}, {"a": 0, "b": -1}, {"z": 1}], strays=4)
    assert task.queries.query_ids == ("q0",)
    assert task.qrels.ids.tolist() == [0]
    assert task.excluded == {
        "questions without qrels": 1,
        "questions without gold": 2,
        "gold that the corpus lacks": 3,
        "qrels of questions that are not there": 4,
    }


def test_questions_of_one_group_are_one_cluster():
    task = corpus_of([{"a": 1}] * 3, groups=("g", "h", "g"))
    assert task.queries.cluster.tolist() == [0, 1, 0]
    assert task.clusters == ("g", "h")


def test_a_log_asks_no_question_of_its_own():
    _, task = asked("question_to_evidence", reads("s.1:a s.1:b"))
    assert len(task.queries) == 0
    assert task.excluded == {"log without questions": 1}


@pytest.mark.parametrize(
    "settings", [{"seeds": 0}, {"blocks": 0}, {"test_share": 0.0}, {"test_share": 1.1}]
)
def test_numbers_that_ask_nothing_are_refused(settings):
    with pytest.raises(ConfigError, match=r"evaluation\.protocol"):
        TaskSettings(**settings)


@pytest.fixture(scope="module")
def entire_cli(shared_data):
    from hebb_lab.telemetry.discover import read_log
    from hebb_lab.telemetry.reader import ReadOptions

    return data_of(
        read_log(shared_data / "telemetry/events/entire_cli.tsv", "table", ReadOptions())
    )


# telemetry.md, section 3, by other code: any@10 of popularity, recency and a half-life of 7 days.
REAL = {
    "first_touch": (2_478, {"popularity": 0.1638, "recency": 0.1784, "half_life_7d": 0.3846}),
    "all_touches": (6_447, {"popularity": 0.2322, "recency": 0.5527}),
}


@pytest.mark.parametrize("name", REAL)
def test_a_real_log_gives_the_numbers_that_other_code_found(entire_cli, name):
    from hebb_lab.recall import floors

    count, values = REAL[name]
    task = TASKS[name](entire_cli, TaskSettings())
    assert len(task.queries) == count
    rankings = {
        "popularity": floors.popularity(task.queries, entire_cli.touches, 10),
        "recency": floors.recency(task.queries, entire_cli.touches, 10),
    }
    if "half_life_7d" in values:
        rankings["half_life_7d"] = seven_days(entire_cli, task.queries)
    tokens = np.ones(len(entire_cli.touches.nodes), np.int32)
    for arm, ranking in rankings.items():
        value = float(parse("any@10")(judge(ranking, task.qrels, tokens)).mean())
        assert value == pytest.approx(values[arm], abs=0.003 if arm == "half_life_7d" else 5e-5)


def seven_days(data, queries):
    """One hop over co-activations that fade with 7 days, as the default ablation does it."""
    from hebb_lab.graph.rules import SynapseRules
    from hebb_lab.graph.synapse import SynapseLayer
    from hebb_lab.graph.temporal import co_activation_graph

    rules = SynapseRules(half_life="fixed", half_life_personal_days=7, hops=1, window_max=50)
    layer = SynapseLayer.learn(co_activation_graph(data.windows, 200), [rules])
    return layer.spread(0, queries, 10)[0]
