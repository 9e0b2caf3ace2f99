"""What a reader says of what it saw and lost."""

from __future__ import annotations

from hebb_lab.telemetry.report import ReadReport

DAY_US = 86_400_000_000


def test_the_first_sentence_says_how_much_was_read():
    report = ReadReport("codex", files_read=3, calls=8, calls_with_node=2, events=1200, sessions=2)
    report.first_time_us = 20_000 * DAY_US
    report.last_time_us = report.first_time_us + 36 * DAY_US // 10
    assert report.sentences() == [
        "read 3 files as codex: 1,200 events in 2 sessions over 3.6 days, 8 calls of which 25%"
        " touch a node"
    ]


def test_what_is_built_in_was_read_from_no_file():
    assert ReadReport("memories", events=120, sessions=14).sentences() == [
        "built-in memories: 120 events in 14 sessions"
    ]


def test_every_loss_has_a_sentence_with_a_place():
    report = ReadReport("claude_code", lines_salvaged=2, duplicates=5)
    report.skip("no JSON object", "a.jsonl", 7)
    report.files_skipped["b.bin"] = "not a log"
    report.clock_steps_back, report.clock_largest_step_back_us = 4, 1_500_000
    said = "\n".join(report.sentences())
    assert "1 lines skipped: no JSON object (a.jsonl:7)" in said
    assert "2 broken lines, of which a record was saved" in said
    assert "1 file skipped: b.bin: not a log" in said
    assert "5 calls seen again in copies" in said
    assert "stepped back 4 times, by 1.500 s at most" in said


def test_a_saved_line_has_a_reason_and_a_place():
    report = ReadReport("table")
    report.save("bytes that are not UTF-8, replaced", "a.tsv", 3)
    assert report.sentences()[-1] == (
        "1 broken lines, of which a record was saved (bytes that are not UTF-8, replaced: a.tsv:3)"
    )


def test_a_folder_of_a_project_is_no_second_project():
    report = ReadReport()
    report.projects.update({"/p": 5, "/p/tests": 2, "/p/tests/e2e": 1})
    assert report.mixed() == []
    report.projects["/p2"] = 1
    assert "2 projects or working directories are in one log: /p (5), /p2 (1)" in report.mixed()[0]


def test_only_five_places_of_one_reason_are_kept():
    report = ReadReport()
    for line in range(9):
        report.skip("cut off", "a.jsonl", line)
    assert report.skipped["cut off"] == 9
    assert len(report.examples["cut off"]) == 5


def test_a_report_is_plain_values():
    report = ReadReport(calls=4, calls_with_node=1)
    report.unknown["hologram"] += 1
    plain = report.as_dict()
    assert plain["unknown"] == {"hologram": 1}
    assert plain["touch_share"] == 0.25


def test_a_log_without_calls_has_no_share():
    assert ReadReport().touch_share == 0.0


def test_three_skipped_files_are_named_with_their_reasons_and_link_loops_come_last():
    report = ReadReport("codex")
    report.files_skipped = {"loop": "leads to /x, which is read already", "a": "empty file",
                            "b": "cannot be opened", "c": "zip archive", "d": "noise"}  # fmt: skip
    said = report.sentences()[-1]
    assert said == (
        "5 files skipped: a: empty file; b: cannot be opened; c: zip archive; and 2 more"
    )
    report.files_skipped = {"loop": "leads to /x, which is read already", "a": "empty file"}
    assert report.sentences()[-1].startswith("2 files skipped: a: empty file; loop: leads")


def test_a_file_that_is_cut_is_a_warning_and_not_among_the_skipped():
    report = ReadReport("codex")
    report.files_skipped = {
        "a.gz": "gzip archive that ends too early, read in part",
        "b.gz": "damaged gzip archive, read in part: invalid block type",
        "c": "empty file",
    }
    assert report.sentences()[-1] == "1 file skipped: c: empty file"
    assert report.cut_short() == [
        "2 files read in part: a.gz: gzip archive that ends too early;"
        " b.gz: damaged gzip archive: invalid block type"
    ]
    assert ReadReport("codex").cut_short() == []


def test_a_repository_is_said_to_be_read_by_its_commits():
    report = ReadReport("git", calls=300, calls_with_node=290, events=900, sessions=300)
    assert report.sentences() == ["read 300 commits as git: 900 events in 300 sessions"]


def test_times_in_the_future_and_of_a_clock_that_was_not_set_have_a_sentence():
    report = ReadReport("codex", times_in_future=7, first_time_us=DAY_US, last_time_us=DAY_US)
    said = "\n".join(report.sentences())
    assert "7 times lie in the future" in said
    assert "before 1980" in said


def test_few_touches_are_warned_of_where_nodes_are_named_by_a_repository():
    few = ReadReport("claude_code", calls=100, calls_with_node=11)
    assert few.few_touches() == [
        "only 11% of the calls touch a node: give dataset.repo=PATH or "
        "dataset.tracked_paths=FILE if the log's repository is not at hand"
    ]
    assert few.few_touches((3, 1200)) == [
        "only 11% of the calls touch a node; of the 1,200 paths that calls name 3 are not among the"
        " tracked paths that were given, and the other calls name none that is"
    ]
    assert not ReadReport("claude_code", calls=100, calls_with_node=30).few_touches()
    assert not ReadReport("claude_code").few_touches()
    for reader in ("git", "table", "neuralmind", "git+table"):
        assert not ReadReport(reader, calls=100).few_touches()
    assert ReadReport("codex+table", calls=100).few_touches()


def test_events_without_a_time_are_said_to_take_that_of_the_one_before():
    report = ReadReport("claude_code", events=1200, sessions=9, events_without_time=7)
    said = (
        "7 of 1,200 events have no time that could be read; they take that of the event before in"
        " their session"
    )
    assert report.sentences()[1:] == [said]
    report.sessions_without_time = 2
    assert report.sentences()[1:] == [
        f"{said}. 2 sessions have no time at all: each follows the session before it by a day"
    ]
    report.events_without_time = report.events
    assert report.sentences()[1:] == ["no event has a time: sessions follow each other by a day"]
