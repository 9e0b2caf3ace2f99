"""Lines that the figures of a memory experiment share."""

import numpy as np
from matplotlib.figure import Figure

from hebb_lab.plots.lifecycles.series import Series, draw_series, room


def test_the_base_is_bold_and_ends_stand_where_the_last_known_value_is():
    ax = Figure().add_subplot()
    x = np.array([1.0, 2.0, 3.0])
    lines = [Series("base", x, np.array([0.1, 0.2, np.nan])), Series("other", x, x / 10)]
    base, other = draw_series(ax, lines, "base")
    assert (base.x, base.y, base.bold) == (2.0, 0.2, True)
    assert (other.x, other.y, other.bold) == (3.0, 0.3, False)


def test_long_names_have_more_room_but_never_the_whole_figure():
    assert room([]) < room(["documented"]) <= room(["x" * 400]) <= 3.4
