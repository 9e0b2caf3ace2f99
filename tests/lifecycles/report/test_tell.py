"""What is said of a finished run, and what its parts are read as."""

import pytest

from hebb_lab.errors import InputError
from hebb_lab.lifecycles.report.stored import Stored
from hebb_lab.lifecycles.report.tell import headline, tell
from hebb_lab.lifecycles.report.write import write_run
from hebb_lab.runs import read_run
from hebb_lab.runs.rebuild import Options, write_overall
from tests.experiment.tiny import composed, run
from tests.lifecycles.made import write_corpus


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("tell")
    values = composed(
        "+exp=memory", "dataset=corpus", f"dataset.path={write_corpus(made / 'corpus')}",
        "debug=tiny", "recall.embedder=hashing", "memory.families=[floors]", f"paths.runs={made}",
    )  # fmt: skip
    return run(values).folder


def test_the_arms_are_told_at_each_horizon_with_what_ended_badly(folder, capsys):
    tell(folder)
    said = capsys.readouterr().out
    assert "nDCG@10 · n = 12 questions in 4 clusters, 24 memories · vectors: hashing" in said
    assert "1 d      10 d     100 d" in said
    assert "arm oracle: skipped" in said
    assert str(folder / "memory.md") in said


def test_the_headline_is_the_bases_value_of_the_first_task(folder):
    stored = Stored.of(folder)
    assert headline(folder) == stored.row("after_1_day", "base", "nDCG@10")["value"]
    assert headline(folder) > 0.5


def test_the_parts_of_a_run_are_there(folder):
    stored = Stored.of(folder)
    assert stored.sittings() == {
        "question_to_evidence": ["after_1_day", "after_10_days", "after_100_days"]
    }
    assert [curve["life"] for curve in stored.retention] == ["base"]
    assert len(stored.retention[0]["kept"][0]) == 31
    assert stored.growth["memories"] == 24
    assert stored.lives[0]["counts"]["remembered"] == 24
    assert stored.group("stack") == ["base"]


def test_a_damaged_file_says_what_to_do(folder, tmp_path):
    stored = Stored.of(folder)
    broken = type(stored)(type(stored.run)(tmp_path, stored.run.result), stored.board)
    with pytest.raises(InputError, match="Delete the run folder"):
        _ = broken.retention


def test_tables_are_written_for_one_run_and_over_many(folder, tmp_path):
    read, options = read_run(folder), Options(("md", "json"))
    board = write_run(read, tmp_path / "one", options)
    assert "after_10_days" in (tmp_path / "one" / "leaderboard.md").read_text()
    write_overall([(read, board)], tmp_path / "all", options)
    assert (tmp_path / "all" / "leaderboard.json").stat().st_size > 0
