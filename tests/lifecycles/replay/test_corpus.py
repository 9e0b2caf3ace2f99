"""The story of a corpus."""

import numpy as np

from hebb_lab.lifecycles.replay.corpus import PRACTICE_AFTER_US, TEST_AFTER_US, corpus_story
from hebb_lab.lifecycles.replay.deal import papers
from hebb_lab.lifecycles.replay.story import Practised, Tie, Written
from hebb_lab.memory.values import EdgeKind
from tests.corpora.made import corpus
from tests.lifecycles.made import prepared_corpus, vectors, write_corpus


def told(folder, *overrides):
    prepared, settings = prepared_corpus(folder, *overrides)
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    test, practice, _ = papers(tasks, None, np.random.default_rng(0))
    return corpus_story(prepared, tasks, test, practice, vectors), prepared


def test_memories_stand_in_the_order_of_writing_with_an_edge_to_the_next_of_their_session(tmp_path):
    story, prepared = told(write_corpus(tmp_path / "c"))
    assert (np.diff(story.items.time_us) > 0).all()
    names = [prepared.touches.nodes[node] for node in story.items.nodes]
    assert names == [f"m{i:02d}" for i in range(24)]
    assert story.items.ties[1] == [Tie(EdgeKind.FOLLOWED_BY, 0, 1)]
    assert 6 not in story.items.ties  # the first of the next session
    assert story.stated == {"followed_by": 20}


def test_everything_is_written_once_and_a_practice_question_knows_what_was_before(tmp_path):
    story, _ = told(write_corpus(tmp_path / "c"))
    written, known = [], {}
    for event in story.events:
        if isinstance(event.what, Written):
            written += range(event.what.first, event.what.stop)
        else:
            assert isinstance(event.what, Practised)
            known[event.what.question] = (event.time_us, len(written))
    assert written == list(range(24))
    assert set(known) == set(range(len(story.practice)))
    for time_us, count in known.values():
        assert count == int((story.items.time_us < time_us).sum())


def test_a_dated_question_is_asked_at_its_time_and_an_undated_one_after_the_end(tmp_path):
    dated, prepared = told(write_corpus(tmp_path / "a"))
    questions = prepared.dataset.questions
    own = dict(zip(questions.ids, questions.time_us, strict=True))
    assert [own[query] for query in dated.exam.ids] == dated.exam.time_us.tolist()
    undated, _ = told(write_corpus(tmp_path / "b", dated=False))
    end = int(undated.items.time_us[-1])
    assert set(undated.practice.time_us.tolist()) == {end + PRACTICE_AFTER_US}
    assert set(undated.exam.time_us.tolist()) == {end + TEST_AFTER_US}


def test_what_a_question_needs_is_its_gold(tmp_path):
    story, _ = told(write_corpus(tmp_path / "c"))
    for query, needed in zip(story.exam.ids, story.exam.needed, strict=True):
        assert needed.tolist() == [int(query[1:])]


def test_importance_is_scaled_and_unknown_importance_is_one_half(tmp_path):
    (tmp_path / "c").mkdir()
    documents = [{"_id": "a", "text": "x", "importance": 7}, {"_id": "b", "text": "y"}]
    folder = corpus(tmp_path / "c", documents, [{"_id": "q", "text": "x"}], "q\ta\t1\n")
    prepared, settings = prepared_corpus(folder)
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    test, practice, _ = papers(tasks, None, np.random.default_rng(0))
    items = corpus_story(prepared, tasks, test, practice, vectors).items
    assert items.importance.tolist() == [np.float32(0.7), 0.5]


def test_questions_stand_in_time_unless_none_has_one_or_each_cluster_has_a_scope_of_its_own(
    tmp_path,
):
    assert told(write_corpus(tmp_path / "dated"))[0].ordered
    assert not told(write_corpus(tmp_path / "undated", dated=False))[0].ordered
    day, start = 86_400, 1_750_000_000
    documents = [
        {"_id": f"m{i}", "text": f"n{i}", "conversation": f"s{i}", "time": start + i * day}
        for i in range(2)
    ]
    for clusters, ordered in (({0: "a", 1: "b"}, False), ({0: "a", 1: "a"}, False),
                              ({0: "a", 1: "b", 2: "c"}, True)):  # fmt: skip
        questions = [
            {"_id": f"q{i}", "text": f"n{i % 2}", "conversation": f"s{i % 2}", "group": group,
             "time": start + (9 + i) * day} for i, group in clusters.items()
        ]  # fmt: skip
        folder = tmp_path / "-".join(clusters.values())
        folder.mkdir()
        qrels = "".join(f"q{i}\tm{i % 2}\t1\n" for i in clusters)
        assert told(corpus(folder, documents, questions, qrels))[0].ordered == ordered
