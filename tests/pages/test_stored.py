"""A stored run with its leaderboard."""

from types import SimpleNamespace

import polars as pl
import pytest

from hebb_lab.errors import InputError
from hebb_lab.pages.stored import StoredRun


def stored(folder, **arms):
    run = SimpleNamespace(folder=folder, arms=arms)
    rows = pl.DataFrame(
        [
            {"task": "t", "arm": "base", "metric": metric, "value": 0.5}
            for metric in ("R@10", "RR@10", "nDCG@10")
        ]
    )
    return StoredRun(run, SimpleNamespace(rows=rows))


def test_metrics_are_those_that_were_measured_in_the_order_of_tables(tmp_path):
    assert stored(tmp_path).metrics == ["nDCG@10", "R@10"]


def test_what_is_not_there_is_empty_and_no_error(tmp_path):
    found = stored(tmp_path, base={"group": "stack"}, other={"group": "floors"})
    assert found.row("t", "base", "R@10")["value"] == 0.5
    assert found.row("t", "gone", "R@10") == found.entry("gone") == {}
    assert found.group("floors") == ["other"]


def test_a_file_that_is_absent_or_broken_is_named(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    found = stored(tmp_path)
    for name in ("broken.json", "absent.json"):
        with pytest.raises(InputError, match=f"{name}: cannot be read"):
            found.json(name)
    for name in ("broken.parquet", "absent.parquet"):
        with pytest.raises(InputError, match=f"{name}: cannot be read"):
            found.table(name)


def test_a_table_must_have_its_columns(tmp_path):
    pl.DataFrame({"query_id": ["q"]}).write_parquet(tmp_path / "questions.parquet")
    found = stored(tmp_path)
    assert found.table("questions.parquet", "query_id").height == 1
    with pytest.raises(InputError, match="lacks category"):
        found.table("questions.parquet", "query_id", "category")
