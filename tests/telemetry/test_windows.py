"""Windows of co-activation: turns, commits, gaps, sessions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.errors import ConfigError
from hebb_lab.telemetry.touches import touches_of
from hebb_lab.telemetry.windows import WINDOWS, co_activations, window_of_touch
from tests.made_logs import MINUTE, START, commits, event, log_of, reads


def windows_of(log, by="turn", gap_minutes=30.0):
    touches = touches_of(log)
    return touches, co_activations(touches, window_of_touch(touches, by, gap_minutes))


def members(windows):
    """The names in each window, in order."""
    return [
        [windows.nodes[i] for i in windows.node_ids[start:stop].tolist()]
        for start, stop in zip(windows.node_ptr[:-1], windows.node_ptr[1:], strict=True)
    ]


def test_a_turn_is_a_window_and_holds_each_node_once_in_the_order_of_first_touch():
    _, windows = windows_of(reads("s.1:y s.1:x s.1:y s.2:z s.2:x"))
    assert members(windows) == [["y", "x"], ["z", "x"]]
    assert windows.sizes().tolist() == [2, 2]


def test_a_window_is_learned_at_its_last_touch():
    touches, windows = windows_of(reads("s.1:x s.1:y s.1:x s.2:z"))
    assert windows.time_us.tolist() == touches.time_us[[2, 3]].tolist()


def test_windows_are_numbered_in_the_order_in_which_they_end():
    touches, windows = windows_of(reads("a.1:x b.1:p b.1:q a.1:y c.1:z"))
    assert members(windows) == [["p", "q"], ["x", "y"], ["z"]]
    assert [windows.sessions[i] for i in windows.session.tolist()] == ["b", "a", "c"]
    assert (np.diff(windows.time_us) > 0).all()
    assert window_of_touch(touches).tolist() == [1, 0, 0, 1, 2]


def test_turns_of_the_same_number_in_two_sessions_are_two_windows():
    _, windows = windows_of(reads("a.1:x b.1:y a.2:z b.2:w"))
    assert members(windows) == [["x"], ["y"], ["z"], ["w"]]


@pytest.mark.parametrize("by", ["session", "commit"])
def test_a_session_is_one_window_whatever_its_turns(by):
    _, windows = windows_of(reads("a.1:x b.1:p a.2:y b.7:q"), by)
    assert members(windows) == [["x", "y"], ["p", "q"]]


def test_a_commit_is_one_window():
    _, windows = windows_of(commits("x y", "y z", "w"), "commit")
    assert members(windows) == [["x", "y"], ["y", "z"], ["w"]]


def test_a_gap_cuts_a_session_where_nothing_was_touched_for_longer():
    minutes = [0, 10, 40, 71, 72]  # 30 minutes are not longer than 30 minutes
    rows = [event("a", 1, f"n{m}", START + m * MINUTE) for m in minutes]
    _, windows = windows_of(log_of(rows), "gap")
    assert members(windows) == [["n0", "n10", "n40"], ["n71", "n72"]]
    _, windows = windows_of(log_of(rows), "gap", 5)
    assert members(windows) == [["n0"], ["n10"], ["n40"], ["n71", "n72"]]


def test_a_gap_is_one_in_its_own_session_whatever_the_others_do():
    rows = [
        event("a", 1, "x", START), event("b", 1, "p", START + 20 * MINUTE),
        event("a", 1, "y", START + 40 * MINUTE), event("b", 1, "q", START + 45 * MINUTE),
    ]  # fmt: skip
    _, windows = windows_of(log_of(rows), "gap")
    assert members(windows) == [["x"], ["y"], ["p", "q"]]


def test_a_window_has_the_mean_strength_and_the_last_namespace_of_its_touches():
    rows = [
        event("s", 1, "x", START, strength=2.0), event("s", 1, "y", START + 1, strength=0.5),
        event("s", 1, "y", START + 2, strength=0.5, namespace="shared"),
    ]  # fmt: skip
    _, windows = windows_of(log_of(rows))
    assert windows.strength.tolist() == [1.0]
    assert windows.namespaces[windows.namespace[0]] == "shared"


def test_an_unknown_window_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"unknown window 'week'.*turn, commit, gap, session"):
        window_of_touch(touches_of(reads("s.1:x")), "week")


@pytest.mark.parametrize("minutes", [0, -1, float("nan")])
def test_a_gap_must_be_positive(minutes):
    with pytest.raises(ConfigError, match="gap_minutes must be positive"):
        window_of_touch(touches_of(reads("s.1:x")), "gap", minutes)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.integers(0, 2), st.sampled_from("wxyz"), st.integers(0, 99)
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(WINDOWS),
)
def test_every_touch_is_in_one_window_of_its_session_and_windows_end_in_their_order(touched, by):
    rows = [event(s, turn, node, START + at * MINUTE) for s, turn, node, at in touched]
    touches, windows = windows_of(log_of(rows), by)
    window = window_of_touch(touches, by)
    assert set(window.tolist()) == set(range(len(windows)))
    assert (np.diff(windows.time_us) > 0).all()
    for w in range(len(windows)):
        mine = window == w
        assert set(touches.session[mine]) == {windows.session[w]}
        assert windows.time_us[w] == touches.time_us[mine].max()
        assert list(dict.fromkeys(touches.node[mine].tolist())) == (
            windows.node_ids[windows.node_ptr[w] : windows.node_ptr[w + 1]].tolist()
        )


# Facts of telemetry.md, section 3, computed there by other code.
REAL = {
    "entire_cli": {"touches": 13_059, "sessions": 272, "windows": 1_209, "nodes": 451},
    "agentv": {"touches": 1_732, "sessions": 24, "windows": 114, "nodes": 258},
}


@pytest.mark.parametrize("name", REAL)
def test_real_logs_have_the_counts_that_other_code_found(shared_data, name):
    from hebb_lab.telemetry.discover import read_log
    from hebb_lab.telemetry.reader import ReadOptions

    path = shared_data / f"telemetry/events/{name}.tsv"
    touches, windows = windows_of(read_log(path, "table", ReadOptions()))
    assert {
        "touches": len(touches), "sessions": len(touches.sessions), "windows": len(windows),
        "nodes": len(touches.nodes),
    } == REAL[name]  # fmt: skip
