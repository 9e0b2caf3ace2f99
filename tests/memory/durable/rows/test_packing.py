"""The numbers of memories as one value each."""

import numpy as np
import pytest

from hebb_lab.memory.changes import SCALARS
from hebb_lab.memory.durable.rows.packing import SIZE, packed, unpacked
from tests.memory.made import made_added


def test_numbers_come_out_as_they_went_in():
    scalars = made_added(9).scalars
    values = packed(scalars)
    assert {len(value) for value in values} == {SIZE}
    assert [value[0] for value in values] == scalars["kind"].tolist()
    out = unpacked(values)
    for name, kind in SCALARS.items():
        assert out[name].dtype == kind
        assert out[name].flags.writeable
        assert np.array_equal(out[name], scalars[name])


def test_nothing_is_nothing():
    assert packed({name: np.zeros(0, kind) for name, kind in SCALARS.items()}) == []
    assert [len(column) for column in unpacked([]).values()] == [0] * len(SCALARS)


@pytest.mark.parametrize("wrong", [[b"short"], [b"x" * (SIZE - 1), b"x" * (SIZE + 1)]])
def test_a_value_of_another_length_is_refused(wrong):
    with pytest.raises(ValueError, match="length"):
        unpacked(wrong)
