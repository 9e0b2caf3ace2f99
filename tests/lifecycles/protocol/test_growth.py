"""The size of a store on a disk."""

from hebb_lab.lifecycles.protocol.growth import PARTS, growth_of
from hebb_lab.memory.published import DOCUMENTED
from tests.lifecycles.made import items


def test_a_store_grows_by_tenths_is_revised_forgotten_and_gives_room_back():
    own = items(40, step_us=1_000_000)
    long = [f"{text} " + "x" * 4000 for text in own.contents]
    own = type(own)(own.nodes, long, own.vectors, own.importance, own.entities, own.time_us)
    found = growth_of(own, DOCUMENTED)
    sizes = found["sizes"]
    assert (found["memories"], found["dimensions"]) == (40, 40)
    assert [size["event"] for size in sizes] == [
        "",
        *[""] * (PARTS - 1),
        "4 revised",
        "20 forgotten",
    ]
    assert [size["memories"] for size in sizes[:PARTS]] == [4 * (n + 1) for n in range(PARTS)]
    assert sizes[PARTS - 1]["bytes"] > found["content_bytes"]
    assert sizes[-1]["bytes"] < sizes[PARTS]["bytes"]
    assert all(size["state_bytes"] > 0 for size in sizes)


def test_a_few_memories_are_written_too():
    assert growth_of(items(3), DOCUMENTED)["sizes"][2]["memories"] == 3


def test_a_log_written_ahead_does_not_count_as_what_a_memory_takes():
    found = growth_of(items(400), DOCUMENTED)
    last = found["sizes"][PARTS - 1]
    least = found["content_bytes"] + 4 * found["dimensions"] * found["memories"]
    assert least < last["bytes"] < 2 * least
