"""Popularity and recency, compiled: held to counting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hebb_lab.kernels.arrays import query_arrays
from hebb_lab.kernels.cpu.floors import popularity_and_recency
from tests.kernels.logs import queries_at


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=20),
    st.lists(st.integers(0, 220), min_size=1, max_size=6),
    st.sets(st.integers(0, 6)),
)
def test_a_query_counts_what_was_touched_strictly_before_it(node, asked, barred):
    time = np.arange(len(node), dtype=np.int64) * 10
    queries = queries_at(sorted(asked), [], exclude=sorted(barred))
    popular, recent = popularity_and_recency(
        np.array(node, np.int32), time, 7, query_arrays(queries), 4
    )
    for q, now in enumerate(sorted(asked)):
        past = [n for n, at in zip(node, time.tolist(), strict=True) if at < now]
        counts = {n: past.count(n) for n in set(past) - barred}
        newest = {n: len(past) - past[::-1].index(n) for n in set(past) - barred}
        for (ids, scores), values in ((popular, counts), (recent, newest)):
            want = sorted(values, key=lambda n: (-values[n], -n))[:4]
            assert ids[q][ids[q] >= 0].tolist() == want
            assert scores[q][: len(want)].tolist() == [values[n] for n in want]
