"""Values that no reader expects, put anywhere into what it reads."""

from copy import deepcopy

VALUES = (
    None, "", " ", "\x00", "\ud800", 0, -1, 2**70, 1e308, -0.5, True, False, [], {}, [[]], [None],
    [""], [{}], {"name": None}, {"name": ""}, {"a": {"b": []}}, "d1", "D1:1", "conv-1", "1e999",
)  # fmt: skip


def places_in(value, path=()):
    """The paths to all values inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places_in(each, (*path, key))


def spoiled(value, rng, times=3):
    """A copy in which some values are others, are gone, or stand twice."""
    made = deepcopy(value)
    for _ in range(times):
        paths = list(places_in(made))
        if not paths:
            return made
        *way, last = paths[int(rng.integers(len(paths)))]
        inside = made
        for key in way:
            inside = inside[key]
        kind = int(rng.integers(4))
        if kind == 0:
            del inside[last]
        elif kind == 1 and isinstance(inside, list):
            inside.append(deepcopy(inside[last]))
        else:
            inside[last] = deepcopy(VALUES[int(rng.integers(len(VALUES)))])
    return made
