import numpy as np

from hebb_lab.recall.cognitive.extract import NameFinder
from hebb_lab.recall.words import words_of

NAMES = ["Caroline", "Caroline Smith", "support group", "Will", "IT", "New York", "york", "C++", ""]


def found(text, names=NAMES, **options):
    return [names[i] for i in NameFinder(names).find(text, **options)]


def test_the_longest_name_at_each_place_is_found():
    assert found("Did Caroline Smith join support groups in new york?") == [
        "Caroline Smith", "support group", "New York"
    ]  # fmt: skip


def test_names_inside_names_are_found_where_every_one_is_asked_for():
    assert found("in New York with caroline smith", every=True) == [
        "New York", "york", "Caroline", "Caroline Smith"
    ]  # fmt: skip


def test_names_are_found_whatever_their_endings_and_humps():
    assert found("hikariCP's pools", ["HikariCP", "pooling"]) == ["HikariCP", "pooling"]


def test_a_name_that_is_an_ordinary_word_counts_only_as_it_is_written():
    assert found("Will it rain?") == []
    assert found("what will Will do in IT?") == ["Will", "IT"]
    assert found("is it C++ or c?") == ["C++"]
    assert found("it is it", ["it"]) == []


def test_names_that_are_one_up_to_endings_are_all_found():
    assert found("which pets?", ["Pet", "pets"]) == ["Pet", "pets"]


def test_a_name_is_found_once_however_often_it_stands_there():
    assert found("york, York and yorks") == ["york"]


def test_finding_agrees_with_a_search_at_every_place_by_itself():
    rng = np.random.default_rng(3)
    letters = ["ba", "ce", "di", "fo"]
    for _ in range(200):
        made = {" ".join(rng.choice(letters, rng.integers(1, 4))) for _ in range(6)}
        names = sorted(made)
        text = " ".join(rng.choice(letters, 12))
        words = words_of(text)
        expected, at = [], 0
        while at < len(words):
            fits = [n for n in names if words[at : at + len(n.split())] == n.split()]
            best = max(fits, key=lambda n: len(n.split()), default=None)
            expected += [best] if best and best not in expected else []
            at += len(best.split()) if best else 1
        assert found(text, names) == expected
        every = {n for n in names if f" {n} " in f" {text} "}
        assert set(found(text, names, every=True)) == every


def test_many_names_and_a_long_text_are_read_once():
    names = [f"entity number {i}" for i in range(20_000)]
    text = "entity number 7, " * 5_000 + "entity number 19999"
    assert NameFinder(names).find(text) == [7, 19_999]
