import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.telemetry.ordering import in_session_order, note_times
from hebb_lab.telemetry.report import ReadReport

ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.none() | st.integers(1, 50)),
    min_size=1,
    max_size=30,
)
SCHEMA = {"session": pl.String, "file": pl.String, "time_us": pl.Int64}


def frame(rows) -> pl.DataFrame:
    made = pl.DataFrame(rows, schema=SCHEMA, orient="row").with_row_index("read")
    return made.with_columns(time_quality=pl.lit("exact"), source=pl.lit("arg"))


@given(ROWS)
def test_no_row_is_lost_and_each_file_keeps_its_order(rows):
    before = frame(rows)
    after = in_session_order(before)
    assert after.columns == before.columns
    assert sorted(after["read"]) == list(range(len(rows)))
    for part in after.partition_by(["session", "file"]):
        assert part["read"].is_sorted()


@given(ROWS)
def test_sessions_are_whole_and_come_by_their_first_time(rows):
    after = in_session_order(frame(rows))
    sessions = after["session"].unique(maintain_order=True).to_list()
    assert after["session"].rle_id().max() == len(sessions) - 1
    starts = [after.filter(session=name)["time_us"].min() for name in sessions]
    known = [start for start in starts if start is not None]
    assert known == sorted(known)
    assert starts[: len(known)] == known  # sessions without a clock come last


@given(ROWS)
def test_missing_times_are_counted_by_event_and_by_session(rows):
    report = ReadReport()
    note_times(frame(rows), report, None)
    timed = [session for session, _, time in rows if time is not None]
    assert report.events_without_time == len(rows) - len(timed)
    assert report.sessions_without_time == len({row[0] for row in rows} - set(timed))


@given(ROWS)
def test_steps_back_are_those_a_plain_loop_finds(rows):
    report = ReadReport()
    note_times(frame(rows), report, None)
    last: dict[tuple[str, str], int] = {}
    steps = []
    for session, file, time in rows:
        if time is not None:
            steps.append(last.get((session, file), time) - time)
            last[(session, file)] = time
    back = [step for step in steps if step > 0]
    assert report.clock_steps_back == len(back)
    assert report.clock_largest_step_back_us == max(back, default=0)
    assert report.times_in_future == 0
