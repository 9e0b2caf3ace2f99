"""Tasks at each horizon."""

import numpy as np
import pytest

from hebb_lab.lifecycles.protocol.papers import chosen, sitting_name, sittings_of
from hebb_lab.lifecycles.replay.deal import papers
from tests.lifecycles.made import prepared_corpus, prepared_log, write_corpus
from tests.made_logs import reads


@pytest.mark.parametrize(("days", "name"), [(1, "after_1_day"), (0.5, "after_0.5_days"),
                                            (100.0, "after_100_days")])  # fmt: skip
def test_a_sitting_is_named_after_its_days_and_further_tasks_by_their_name_too(days, name):
    assert sitting_name("first_touch", days, first=True) == name
    assert sitting_name("all_touches", days, first=False) == f"all_touches_{name}"


def test_some_queries_keep_their_gold_seeds_and_exclusions():
    prepared, settings = prepared_log(reads("a.1:x a.1:y a.1:z b.1:x b.1:z b.1:y c.1:z c.1:x"))
    task = prepared.task("first_touch", settings.evaluation.protocol)
    places = np.array([1, 3])
    some = chosen(task, places)
    for at, place in enumerate(places):
        one, whole = some.part(at, at + 1), task.part(place, place + 1)
        assert one.queries.query_ids == whole.queries.query_ids
        for name in ("seed_ids", "seed_energy", "exclude_ids", "time_us", "cluster"):
            assert getattr(one.queries, name).tolist() == getattr(whole.queries, name).tolist()
        assert one.qrels.ids.tolist() == whole.qrels.ids.tolist()


def test_every_task_sits_at_every_horizon_with_the_test_questions_alone(tmp_path):
    prepared, settings = prepared_corpus(write_corpus(tmp_path / "corpus"))
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    test, _, _ = papers(tasks, None, np.random.default_rng(0))
    asked = type("Ids", (), {"ids": test.ids})
    made = sittings_of(tasks, asked, (1, 10))
    assert [(each.name, each.horizon) for each in made] == [
        ("after_1_day", 0),
        ("after_10_days", 1),
    ]
    for each in made:
        assert [test.ids[row] for row in each.rows] == list(each.judged.queries.query_ids)
        assert len(each.rows) == len(test.ids)
