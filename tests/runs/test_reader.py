"""A folder that cannot be read says which file and what to do."""

import json

import pytest

from hebb_lab.errors import InputError
from hebb_lab.runs import find_runs, read_run
from tests.runs import synthetic

ARMS = ("random", "half_life_7d")


@pytest.fixture
def folder(tmp_path):
    return synthetic.write_run(tmp_path / "runs", arms=ARMS, failed=())


def test_the_parts_of_a_run_are_at_hand(folder):
    run = read_run(folder)
    assert run.name == f"ablation/{folder.name}"
    assert run.dataset["name"] == "simulated"
    assert list(run.arms) == list(ARMS)
    assert list(run.tasks) == list(synthetic.TASKS)
    assert run.base == "half_life_7d"
    assert run.failed == []
    assert run.config["seed"] == 0
    assert run.per_query.height == 2 * 2 * 160


@pytest.mark.parametrize("up", [0, 1, 2])
def test_runs_are_found_from_any_of_their_three_levels(folder, up):
    root = [folder, *folder.parents][up]
    assert find_runs(root) == ([folder], [])


@pytest.mark.parametrize("content", ["{", "[]", "{}", "\x00", ""])
def test_a_broken_result_is_named(folder, content):
    (folder / "result.json").write_text(content)
    with pytest.raises(InputError, match=r"result\.json: .*run it again"):
        read_run(folder)


def test_a_run_without_result_is_found_and_named(folder):
    (folder / "result.json").unlink()
    assert find_runs(folder.parent) == ([folder], [])
    with pytest.raises(InputError, match=r"no result\.json"):
        read_run(folder)


@pytest.mark.parametrize("content", [b"", b"PAR1 cut off"])
def test_a_cut_off_table_is_named(folder, content):
    (folder / "per_query.parquet").write_bytes(content)
    with pytest.raises(InputError, match=r"per_query\.parquet"):
        read_run(folder).per_query  # noqa: B018


@pytest.mark.parametrize("column", ["tie", "edges", "optimistic"])
def test_a_table_of_another_version_is_named(folder, column):
    run = read_run(folder)
    run.per_query.drop(column).write_parquet(folder / "per_query.parquet")
    with pytest.raises(InputError, match=r"other columns .* Delete the run folder"):
        read_run(folder).per_query  # noqa: B018


def test_a_folder_that_is_absent_a_file_or_empty_says_so(tmp_path):
    with pytest.raises(InputError, match="no such folder"):
        find_runs(tmp_path / "runs")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not a folder"):
        find_runs(tmp_path / "file")
    (tmp_path / "empty" / "a" / "b").mkdir(parents=True)
    with pytest.raises(InputError, match="holds no run"):
        find_runs(tmp_path / "empty")


def test_what_is_missing_in_a_result_is_listed(folder):
    stored = json.loads((folder / "result.json").read_text())
    del stored["tasks"], stored["seed"]
    (folder / "result.json").write_text(json.dumps(stored))
    with pytest.raises(InputError, match="lacks tasks, seed"):
        read_run(folder)
