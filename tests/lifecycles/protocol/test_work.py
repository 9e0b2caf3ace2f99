"""Arms are run life by life; what fails or is finished touches no other."""

import json
from dataclasses import replace

import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.kernels.choose import choose_backend
from hebb_lab.lifecycles.protocol import keep
from hebb_lab.lifecycles.protocol.execute import begun
from hebb_lab.lifecycles.protocol.said import asked_of, question_frame
from hebb_lab.runs import RunWriter
from tests.experiment.tiny import composed
from tests.lifecycles.made import prepared_corpus, write_corpus

OVERRIDES = ("debug=tiny", "recall.embedder=hashing", "memory.retention_days=3",
             "memory.families=[floors,decay,reinforcement,revisions,tuned]")  # fmt: skip


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    folder = write_corpus(tmp_path_factory.mktemp("work") / "corpus")
    prepared, settings = prepared_corpus(folder, *OVERRIDES)
    return begun(prepared, settings, choose_backend("cpu").kernels)


def done(work, folder, before=lambda writer: None):
    """Run into a folder; the statuses and entries of all arms."""
    with RunWriter(folder, composed("+exp=memory"), work.columns) as writer:
        before(writer)
        work.run(writer, lambda *what: None)
        entries = {e["arm"]: e for e in writer.entries([arm.name for arm in work.arms])}
        told = work.told_lives(writer)
    return entries, told


def test_arms_that_differ_in_reading_alone_are_read_off_one_store(work, tmp_path):
    entries, told = done(work, tmp_path / "run")
    shared = {life["life"]: life["arms"] for life in told}
    assert {"decay_none", "half_life_7d", "tuned", "revise_new"} <= set(shared["base"])
    assert shared["reinforcement_off"] == ["reinforcement_off"]
    statuses = {name: entry["status"] for name, entry in entries.items()}
    assert statuses.pop("oracle") == "skipped"  # a corpus has none
    assert set(statuses.values()) == {"ok"}
    assert entries["revise_new"]["rankings"] == entries["base"]["rankings"]  # nothing is edited
    assert entries["decay_none"]["rankings"] != entries["base"]["rankings"]


def test_a_choice_says_who_chose_what_for_whom(work, tmp_path):
    pick = done(work, tmp_path / "run")[0]["tuned"]["pick"]
    assert pick["chosen"] >= pick["start"]
    assert (pick["by"], pick["questions"], pick["metric"]) == ("time", 12, "nDCG@10")
    assert sum(part["test"] for part in pick["parts"]) == 12
    practice = [part["practice"] for part in pick["parts"]]
    assert practice[0] == 0
    assert pick["parts"][0]["changed"] == {}
    assert practice == sorted(practice)


def test_each_life_is_a_line_of_the_log_where_no_bar_shows_it(work, tmp_path, caplog):
    with caplog.at_level("INFO"):
        done(replace(work, in_lines=False), tmp_path / "with a bar")
        assert "over after" not in caplog.text
        told = done(work, tmp_path / "in lines")[1]
    lines = [line for line in caplog.messages if "over after" in line]
    assert len(lines) == len(told)
    assert lines[0].startswith(f"life 1 of {len(told)} over after ")
    first = told[0]["arms"]
    assert lines[0].endswith(f"read off it: {', '.join(first[:4])}, {len(first) - 4} more")


def test_a_life_that_fails_fails_its_arms_and_no_others(work, tmp_path, monkeypatch):
    replayed = type(work.lives).replayed

    def failing(self, life, *rest, **more):
        if life.practice == "off":
            raise ValueError("boom")
        return replayed(self, life, *rest, **more)

    monkeypatch.setattr(type(work.lives), "replayed", failing)
    entries, _ = done(work, tmp_path / "run")
    assert entries["reinforcement_off"]["status"] == "failed"
    assert entries["reinforcement_off"]["error"] == "ValueError: boom"
    assert entries["base"]["status"] == entries["reinforcement_named"]["status"] == "ok"


def test_a_run_goes_on_where_it_stopped(work, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    done(work, folder)
    lives = []
    replayed = type(work.lives).replayed

    def counting(self, life, *rest, **more):
        lives.append(life.practice)
        return replayed(self, life, *rest, **more)

    monkeypatch.setattr(type(work.lives), "replayed", counting)
    done(work, folder, lambda writer: writer.file_of("reinforcement_named", "json").unlink())
    assert lives == ["named"]


def test_a_method_that_lacks_its_extra_is_skipped(work, tmp_path, monkeypatch):
    def missing(self, method, *rest):
        raise MissingExtraError("no vectors", "Install")

    monkeypatch.setattr(type(work.floors), "answer", missing)
    entries, _ = done(work, tmp_path / "run")
    assert entries["dense"]["status"] == "skipped"
    assert entries["base"]["status"] == "ok"


def test_floors_are_asked_once_and_stand_at_every_horizon(work):
    sheet = work.floors.answer("bm25", work.sittings, len(work.story.exam))
    assert (sheet.ids[0] == sheet.ids[2]).all()
    wanted = [needed[0] for needed in work.story.exam.needed]
    assert (sheet.ids[0, :, 0] == work.story.items.nodes[wanted]).mean() > 0.9


def test_what_was_asked_is_told_with_what_was_left_out(work):
    told = asked_of(work, [])
    assert [task["days"] for task in told["tasks"]] == [1, 10, 100]
    assert {task["of"] for task in told["tasks"]} == {"question_to_evidence"}
    assert told["tasks"][0]["excluded"]["practice questions"] == 12
    memory = told["memory"]
    assert (memory["memories"], memory["questions"], memory["practice"]) == (24, 12, 12)
    assert question_frame(work.story).height == 24
    json.dumps(told)


def test_one_cluster_skips_what_would_be_chosen_on_it(tmp_path):
    folder = write_corpus(tmp_path / "corpus", clusters=1, dated=False)
    prepared, settings = prepared_corpus(
        folder, "debug=tiny", "recall.embedder=hashing", "memory.families=[tuned]",
        "memory.retention_days=1",
    )  # fmt: skip
    work = begun(prepared, settings, choose_backend("cpu").kernels)
    entries, _ = done(work, tmp_path / "run")
    assert {e["status"] for n, e in entries.items() if n != "base"} == {"skipped"}
    assert "all questions are of one" in entries["tuned"]["error"]


def test_gold_and_questions_have_names_of_their_own_at_each_horizon(work):
    lines = keep.qrels(work).splitlines()
    assert len(lines) == len(set(lines)) == 36
    assert lines[0].split()[0].startswith("after_1_day:q")
