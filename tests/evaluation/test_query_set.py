"""Queries are collected in any order and handed over in time order."""

from hebb_lab.evaluation.query_set import QuerySet, first_queries
from hebb_lab.evaluation.tasks import TaskSettings


def some(times, **settings):
    collected = QuerySet("quiz")
    for i, time in enumerate(times):
        collected.add(time, i, [i], [1.0], gold=[i, i + 1], exclude=[], row=i, text=f"t{i}")
    return collected.finish(TaskSettings(**settings), ("a", "b"), {"left": 2, "none": 0})


def test_queries_come_in_time_order_and_equal_times_in_the_order_they_were_added():
    task = some([30, 10, 20, 10])
    assert task.queries.time_us.tolist() == [10, 10, 20, 30]
    assert task.queries.event_row.tolist() == [1, 3, 2, 0]
    assert task.queries.texts == ("t1", "t3", "t2", "t0")
    assert task.qrels.ids.tolist() == [1, 2, 3, 4, 2, 3, 0, 1]
    assert task.qrels.grades.tolist() == [1] * 8


def test_blocks_are_equal_parts_of_the_time_order():
    assert some(range(12), blocks=6).queries.block.tolist() == sorted([*range(6), *range(6)])
    assert some(range(3), blocks=6).queries.block.tolist() == [0, 2, 4]


def test_a_first_block_that_is_not_scored_is_left_out_and_counted():
    task = some(range(12), blocks=6, first_scored_block=1)
    assert len(task.queries) == len(task.qrels) == 10
    assert task.queries.query_ids[0] == "quiz-000002"
    assert task.excluded == {"left": 2, "queries of the first block": 2}


def test_names_are_unique_and_nothing_is_said_of_what_did_not_happen():
    task = some([5, 5, 5])
    assert len(set(task.queries.query_ids)) == 3
    assert task.excluded == {"left": 2}
    assert task.clusters == ("a", "b")


def test_no_query_makes_an_empty_task():
    task = some([])
    assert len(task.queries) == len(task.qrels) == 0
    assert task.queries.seed_ptr.tolist() == [0]
    assert task.queries.seed_energy.dtype == "float32"


def test_the_first_queries_are_whole():
    head = first_queries(some([1, 2, 3]).queries, 2)
    assert head.query_ids == ("quiz-000000", "quiz-000001")
    assert head.seed_ids[head.seed_ptr[1] : head.seed_ptr[2]].tolist() == [1]
    assert head.texts == ("t0", "t1")
    assert len(head.seed_ids) == len(head.seed_energy) == head.seed_ptr[-1]
    assert len(head.exclude_ids) == head.exclude_ptr[-1]


def test_grades_and_names_go_with_their_queries():
    collected = QuerySet("quiz")
    collected.add(20, 0, [], [], gold=[5, 3], exclude=[], row=-1, grades=[2, 1], name="late")
    collected.add(10, 0, [], [], gold=[4], exclude=[], row=-1)
    task = collected.finish(TaskSettings(), ("a",), {})
    assert task.queries.query_ids == ("quiz-000000", "late")
    assert task.qrels.ids.tolist() == [4, 5, 3]
    assert task.qrels.grades.tolist() == [1, 2, 1]
    assert task.qrels.grades.dtype == "int32"


def test_a_part_of_a_task_holds_its_queries_whole_with_their_gold():
    task = some([1, 2, 3])
    part = task.part(1, 3)
    assert part.queries.query_ids == ("quiz-000001", "quiz-000002")
    assert part.excluded == task.excluded
    for place, query in enumerate((1, 2)):
        for pointer, values in (("seed_ptr", "seed_ids"), ("exclude_ptr", "exclude_ids")):
            assert row(part.queries, pointer, values, place) == row(
                task.queries, pointer, values, query
            )
        assert row(part.qrels, "ptr", "ids", place) == row(task.qrels, "ptr", "ids", query)
        assert row(part.qrels, "ptr", "grades", place) == row(task.qrels, "ptr", "grades", query)
    assert len(task.part(1, 1).queries) == len(task.part(1, 1).qrels) == 0


def row(ragged, pointer, values, place):
    first, stop = getattr(ragged, pointer)[place : place + 2]
    return getattr(ragged, values)[first:stop].tolist()
