"""Numbers as a reader expects them."""

from hebb_lab.pages.text import (
    count,
    listed,
    markdown,
    share,
    signed,
    size,
    value,
    with_interval,
)


def test_what_is_not_known_is_a_dash():
    assert [f(None) for f in (count, signed, size, value)] == ["–"] * 4
    assert share(1, 0) == "–"


def test_a_bar_in_a_cell_does_not_break_the_table():
    assert markdown(("a", "b"), [("x|y", "1")])[2] == "| x\\|y | 1 |"


def test_what_was_changed_is_listed_or_said_to_be_nothing():
    assert listed({"merge": "sum", "seed_count": None}) == "merge=sum, seed_count=None"
    assert listed({}) == "nothing else"


def test_zero_has_no_sign_and_what_is_no_zero_does_not_look_like_one():
    assert [signed(number) for number in (0.0, -0.0, -1e-12)] == ["0"] * 3
    assert (signed(-0.0003), signed(0.0012)) == ("−0.0003", "+0.001")
    assert with_interval(-0.01, [-0.02, -0.0]) == "−0.010 [−0.020, 0]"
    assert with_interval(-0.0, [-0.01, 0.0]) == "0 [−0.010, 0]"
