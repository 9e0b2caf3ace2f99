"""Which fit answers which query: the newest that ended strictly before it, and none is a leak."""

import logging

import numpy as np
import polars as pl
import pytest

from hebb_lab.errors import ConfigError, InputError
from hebb_lab.evaluation.query_set import Task
from hebb_lab.experiment.arms import Arm
from hebb_lab.experiment.arms.answerable import REASON, answerable, days_of, on_dataset, parts
from hebb_lab.experiment.arms.in_time import RulesInTime
from hebb_lab.graph.rules import DOCUMENTED
from hebb_lab.records import Dataset, EventLog, Qrels
from hebb_lab.telemetry import ReadReport
from tests.experiment.arms.made import EARLY, LATE, fit
from tests.recall.asking import queries_at

FIXED = DOCUMENTED.change(half_life="fixed")


class Named(Dataset):
    """A dataset that is nothing but its hash."""

    def sha256(self):
        return self.name


def dataset(sha256, times=(10, 20)):
    return Named(sha256, EventLog(pl.DataFrame({"time_us": times}), ReadReport()))


def arm(final=2.0, splits=((10, 3.0), (20, 4.0)), **more):
    rules = RulesInTime(FIXED, fit(final, splits, "own"))
    made = {"name": "a", "method": "spread", "group": "g", "base": None} | more
    return Arm.under(rules, **made)


def task(times):
    count = len(times)
    qrels = Qrels(np.arange(count + 1), np.arange(count, dtype=np.int32), np.ones(count, np.int32))
    return Task(queries_at(times), qrels, {"other": 1})


def personal(one):
    return one.rules.half_life_personal_days


def asked(one, times):
    """Times → the half-life that answers each."""
    return {
        int(time): personal(part)
        for part, some in parts(one, task(times))
        for time in some.queries.time_us
    }


def test_a_query_is_answered_by_the_newest_fit_that_ended_strictly_before_it():
    assert asked(arm(), [11, 15, 20, 21, 99]) == {11: 3.0, 15: 3.0, 20: 3.0, 21: 4.0, 99: 4.0}


def test_the_final_fit_never_answers_on_the_log_that_it_was_fitted_to():
    (there,) = on_dataset([arm()], dataset("own"))
    assert {rules.half_life_personal_days for rules in there.all_rules()} == {3.0, 4.0}
    assert personal(there) == 4.0
    assert days_of(there) == "personal 3 to 4 days in 2 fits"


def test_on_another_log_the_final_fit_answers_everything():
    (there,) = on_dataset([arm(splits=((EARLY, 3.0), (LATE, 4.0)))], dataset("other"))
    assert (there.schedule, personal(there)) == ((), 2.0)
    assert asked(there, [1, 99]) == {1: 2.0, 99: 2.0}
    assert days_of(there) == "personal 2 days"
    assert there.parameters()["half_life_days"] == 2.0


def test_a_log_that_was_fitted_only_as_a_whole_cannot_be_asked():
    with pytest.raises(ConfigError, match=r"no half-lives of an earlier part .*halflife\.blocks"):
        on_dataset([arm(splits=())], dataset("own"))
    assert on_dataset([arm(splits=())], dataset("other"))


def test_arms_without_a_fit_are_not_touched_and_ask_for_no_hash():
    plain = Arm("a", "spread", "g", None, FIXED)
    assert on_dataset([plain], None) == [plain]


def test_queries_before_the_first_fit_of_any_arm_are_asked_of_none():
    first, last = arm(), arm(splits=((15, 3.0),), name="b")
    kept = answerable({"t": task([5, 10, 15, 16, 20])}, [first, last])["t"]
    assert kept.queries.time_us.tolist() == [16, 20]
    assert kept.qrels.ids.tolist() == [3, 4]
    assert kept.excluded == {"other": 1, REASON: 3}


def test_without_a_schedule_every_query_stays():
    tasks = {"t": task([5, 10])}
    assert answerable(tasks, [Arm("a", "spread", "g", None, FIXED)]) == tasks


def test_nothing_is_excluded_where_every_query_comes_later():
    kept = answerable({"t": task([11, 12])}, [arm()])["t"]
    assert (len(kept.queries), kept.excluded) == (2, {"other": 1})


def test_a_task_without_an_answerable_query_is_left_out_with_a_warning(caplog):
    tasks = {"early": task([1, 10]), "late": task([1, 11])}
    with caplog.at_level(logging.WARNING, "hebb_lab"):
        assert list(answerable(tasks, [arm()])) == ["late"]
    assert "task early has no query after the first fit of half-lives" in caplog.text
    with pytest.raises(InputError, match=r"every query comes before .*halflife\.blocks"):
        answerable({"early": task([1, 10])}, [arm()])


def test_parts_refuse_a_query_that_has_no_honest_answer():
    with pytest.raises(ValueError, match="1 queries come before the first fit of arm a"):
        list(parts(arm(), task([10, 11])))


def test_an_arm_without_a_schedule_has_one_part():
    plain, one = Arm("a", "spread", "g", None, FIXED), task([1, 2])
    assert list(parts(plain, one)) == [(plain, one)]


def test_parts_hold_every_query_once_with_its_gold():
    found = [some for _, some in parts(arm(), task([11, 15, 21]))]
    assert [some.queries.time_us.tolist() for some in found] == [[11, 15], [21]]
    assert [some.qrels.ids.tolist() for some in found] == [[0, 1], [2]]
    assert [some.qrels.ptr.tolist() for some in found] == [[0, 1, 2], [0, 1]]


def test_a_fit_that_ends_where_its_own_log_does_not_reach_is_refused():
    assert on_dataset([arm()], dataset("own", [1, 20]))
    with pytest.raises(InputError, match=r"until_us=20, and its log goes from 1 to 19 µs\. Mend"):
        on_dataset([arm()], dataset("own", [19, 1]))


def test_of_another_log_a_fit_that_ends_on_the_first_day_of_1970_is_refused():
    late = arm(splits=((EARLY, 3.0), (LATE, 4.0)))
    assert on_dataset([late], dataset("other"))
    with pytest.raises(InputError, match=r"until_us=10, and no log begins before 86400000000 µs"):
        on_dataset([arm()], dataset("other"))
