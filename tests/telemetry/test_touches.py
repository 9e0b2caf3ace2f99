"""One clock for all touches: strictly increasing, whatever the log's clock did."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import InputError
from hebb_lab.telemetry.touches import DAY_US, touches_of
from tests.made_logs import DAY, SECOND, START, commits, event, log_of, reads


def names(touches):
    return [touches.nodes[node] for node in touches.node.tolist()]


def test_node_ids_are_in_the_byte_wise_order_of_the_names():
    touches = touches_of(reads("s.1:é s.1:z s.1:Z s.1:a"))
    assert touches.nodes == ("Z", "a", "z", "é")
    assert names(touches) == ["é", "z", "Z", "a"]


def test_sessions_are_merged_by_time():
    rows = [
        event("a", 1, "x", START), event("a", 1, "y", START + 20 * SECOND),
        event("b", 1, "z", START + 10 * SECOND),
    ]  # fmt: skip
    touches = touches_of(log_of(rows))
    assert names(touches) == ["x", "z", "y"]
    assert touches.row.tolist() == [0, 2, 1]
    assert touches.sessions == ("a", "b")
    assert touches.session.tolist() == [0, 1, 0]


def test_equal_times_are_one_microsecond_apart_in_the_order_of_the_log():
    rows = [event("a", 1, node, START) for node in "cab"]
    touches = touches_of(log_of(rows))
    assert names(touches) == ["c", "a", "b"]
    assert (touches.time_us - START).tolist() == [0, 1, 2]


def test_times_pushed_on_by_equal_ones_push_on_what_follows_too():
    times = [START, START, START, START + 1, START + 10]
    rows = [event("a", 1, f"n{i}", at) for i, at in enumerate(times)]
    assert (touches_of(log_of(rows)).time_us - START).tolist() == [0, 1, 2, 3, 10]


def test_a_clock_that_goes_back_is_held_and_the_order_of_the_file_stays():
    times = [START, START + 9 * SECOND, START + 3 * SECOND, START + 12 * SECOND]
    rows = [event("a", 1, node, at) for node, at in zip("wxyz", times, strict=True)]
    touches = touches_of(log_of(rows))
    assert names(touches) == ["w", "x", "y", "z"]
    assert (touches.time_us - START).tolist() == [0, 9 * SECOND, 9 * SECOND + 1, 12 * SECOND]


def test_a_clock_that_goes_back_in_one_session_does_not_hold_another():
    rows = [
        event("a", 1, "x", START + DAY), event("a", 1, "y", START),
        event("b", 1, "z", START + SECOND),
    ]  # fmt: skip
    assert names(touches_of(log_of(rows))) == ["z", "x", "y"]


def test_a_history_keeps_its_order_whatever_its_clock_says():
    log = commits("x y", "z", "w", times=[START + DAY, START, START + 2 * DAY])
    touches = touches_of(log)
    assert names(touches) == ["x", "y", "z", "w"]
    assert (touches.time_us - START).tolist() == [DAY, DAY, DAY + 1, 2 * DAY]


def test_what_a_commit_deletes_is_left_out_and_what_an_agent_deletes_is_a_touch():
    rows = [
        event("c", 1, "gone", START, op="delete", source="commit"),
        event("c", 1, "kept", START, op="edit", source="commit"),
    ]
    assert names(touches_of(log_of(rows))) == ["kept"]
    rows = [event("s", 1, "x", START, op="delete"), event("s", 1, "y", START)]
    assert names(touches_of(log_of(rows))) == ["x", "y"]


def test_only_nodes_of_the_kinds_asked_for_are_touched():
    rows = [event("s", 1, "x", START), event("s", 1, "http://a.b", START, node_kind="url")]
    assert names(touches_of(log_of(rows))) == ["x"]
    assert names(touches_of(log_of(rows), ("url",))) == ["http://a.b"]
    assert touches_of(log_of(rows), ("url",)).row.tolist() == [1]


def test_a_log_without_such_a_touch_is_an_error_that_says_what_to_set():
    with pytest.raises(InputError, match=r"none of the 1 events touches a url.*windows\.kinds"):
        touches_of(reads("s.1:x"), ("url",))


def test_a_touch_without_a_time_takes_the_one_before_it_in_its_session():
    rows = [
        event("a", 1, "x", START), event("b", 1, "p", START + 5), event("a", 1, "y", None),
        event("a", 1, "z", START + SECOND),
    ]  # fmt: skip
    touches = touches_of(log_of(rows))
    assert names(touches) == ["x", "y", "p", "z"]
    assert (touches.time_us - START).tolist() == [0, 1, 5, SECOND]


def test_a_session_that_starts_without_a_time_starts_with_the_first_it_has():
    rows = [event("a", 1, "x", None), event("a", 1, "y", START)]
    assert (touches_of(log_of(rows)).time_us - START).tolist() == [0, 1]


def test_a_log_without_a_clock_has_one_session_a_day_in_its_order():
    rows = [event(session, 1, node, None) for session, node in ["bx", "by", "ax", "cz"]]
    touches = touches_of(log_of(rows))
    assert names(touches) == ["x", "y", "x", "z"]
    assert (touches.time_us // DAY_US).tolist() == [1, 1, 2, 3]


def test_a_session_without_a_clock_follows_the_one_before_by_a_day():
    rows = [event("a", 1, "x", START), event("b", 1, "y", None), event("c", 1, "z", START + 9)]
    touches = touches_of(log_of(rows))
    assert names(touches) == ["x", "z", "y"]
    assert touches.time_us[2] == START + DAY


def test_a_node_is_born_at_its_first_touch():
    touches = touches_of(reads("s.1:x s.1:y s.1:x"))
    assert touches.born_us().tolist() == [START, START + 10 * SECOND]


def test_strength_namespace_and_turn_go_with_their_touch():
    rows = [
        event("a", 3, "x", START + 9, strength=2.0),
        event("b", 1, "y", START, namespace="shared"),
    ]
    touches = touches_of(log_of(rows))
    assert touches.turn.tolist() == [1, 3]
    assert touches.strength.tolist() == [1.0, 2.0]
    assert [touches.namespaces[i] for i in touches.namespace.tolist()] == ["shared", "personal"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.none() | st.integers(0, 20)),
        min_size=1,
        max_size=25,
    )
)
def test_times_increase_strictly_and_a_session_keeps_the_order_of_its_file(touched):
    rows = [
        event(session, 1, node, None if at is None else START + at) for session, node, at in touched
    ]
    touches = touches_of(log_of(rows))
    assert (np.diff(touches.time_us) > 0).all()
    assert sorted(touches.row.tolist()) == list(range(len(touched)))
    for session in range(len(touches.sessions)):
        of_session = touches.row[touches.session == session]
        assert (np.diff(of_session) > 0).all()
    assert names(touches) == [touched[row][1] for row in touches.row.tolist()]
