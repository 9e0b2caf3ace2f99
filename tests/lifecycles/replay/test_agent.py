"""The story of an agent's log."""

import numpy as np

from hebb_lab.lifecycles.replay.agent import agent_story
from hebb_lab.lifecycles.replay.deal import papers
from hebb_lab.lifecycles.replay.story import Tie, Touched, Written
from hebb_lab.lifecycles.replay.texts import MOST_BYTES, content_of
from hebb_lab.memory.values import EdgeKind
from tests.lifecycles.made import prepared_log, vectors
from tests.made_logs import START, event, log_of, reads


def told(log):
    prepared, settings = prepared_log(log)
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    test, practice, _ = papers(tasks, None, np.random.default_rng(0))
    protocol = settings.evaluation.protocol
    return agent_story(prepared, tasks, test, practice, vectors, protocol)


def test_a_first_touch_is_written_with_an_edge_from_the_touch_before(tmp_path):
    story = told(reads("a.1:x a.1:y a.1:x b.1:y b.1:z"))
    assert [story.items.contents[e.what.first] for e in story.events
            if isinstance(e.what, Written)] == ["x", "y", "z"]  # fmt: skip
    assert story.items.ties == {
        1: [Tie(EdgeKind.FOLLOWED_BY, 0, 1)], 2: [Tie(EdgeKind.FOLLOWED_BY, 1, 2)]
    }  # fmt: skip


def test_a_later_touch_from_another_node_asks_by_what_is_in_view():
    story = told(reads("a.1:x a.1:y a.1:x a.1:x b.1:y"))
    touched = [e.what for e in story.events if isinstance(e.what, Touched)]
    assert touched == [
        Touched(0, 0, 1, False),  # from y
        Touched(0, -1, -1, False),  # from itself
        Touched(1, -1, -1, False),  # the first of its session: nothing is in view
    ]
    assert story.steps.seeds.tolist() == [1]
    assert story.steps.texts[0] == "y x"
    assert story.steps.needed[0].tolist() == [0]


def test_an_edit_is_told_from_a_read():
    said = [("x", "write"), ("y", "read"), ("x", "edit")]
    rows = [event("a", 1, node, START + i, op=op) for i, (node, op) in enumerate(said)]
    story = told(log_of(rows))
    assert [e.what.edited for e in story.events if isinstance(e.what, Touched)] == [True]
    assert story.edited == 1
    assert told(reads("a.1:x a.1:y a.1:x")).edited == 0


def test_a_query_is_asked_at_its_touch_by_the_nodes_in_view_which_are_no_answers():
    story = told(reads("a.1:x a.1:y a.1:z b.1:x b.1:z b.1:y"))
    every = {}
    for asked in (story.exam, story.practice):
        for row, query in enumerate(asked.ids):
            every[query] = (asked, row)
    asked, row = every["first_touch-000001"]  # z, with y and x in view
    assert asked.texts[row] == "y x"
    assert asked.seeds[row] == 1
    assert asked.excluded[row].tolist() == [0, 1]
    assert asked.needed[row].tolist() == [2]
    mean = 1.0 * story.items.vectors[1] + 0.6 * story.items.vectors[0]
    assert np.allclose(asked.vectors[row], mean / np.linalg.norm(mean))
    touch = next(e.time_us for e in story.events if e.what == Written(2, 3))
    assert asked.time_us[row] == touch


def test_a_content_fits_into_a_memory_whatever_the_text():
    assert content_of("\ud800 text", "name") == "? text"
    assert content_of("", "") == "?"
    assert len(content_of("漢" * 30_000, "").encode()) <= MOST_BYTES
