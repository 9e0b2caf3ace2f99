import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hebb_lab.recall.cognitive.extract import ENTITY_EXTRACTORS, RuleExtractor
from hebb_lab.recall.cognitive.extract.patterns import find_patterns


def entities(*texts, quantities=False):
    found = RuleExtractor(quantities)(texts, [[] for _ in texts])
    return [[tuple(entity) for entity in row] for row in found]


def names(*texts):
    return [[name for name, _ in row] for row in entities(*texts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we read Lord of the Rings with Ann and Bob.", ["Lord of the Rings", "Ann", "Bob"]),
        ("the trip to New York, Boston and San Francisco", ["New York", "Boston", "San Francisco"]),
        ("it was Caroline's idea", ["Caroline"]),
        ("it was Caroline’s Boston trip", ["Caroline", "Boston"]),
        ("Hey Mel! How have you been?", ["Mel"]),
        ("Wow, that's great! Thanks, Jon.", ["Jon"]),
        ("I said I'm fine. He's not.", []),
        ("in the UK we met J. R. Smith.", ["UK", "J R Smith"]),
        ("a friend, Émile Zola, came", ["Émile Zola"]),
        ("IT'S ALL IN UPPER CASE HERE AND SAYS NOTHING", []),
        ("", []),
        ("...", []),
        ("größer ist besser", []),
    ],
)  # fmt: skip
def test_words_in_upper_case_are_names_inside_a_sentence(text, expected):
    assert names(text) == [expected]


def test_the_first_word_of_a_sentence_is_a_name_once_it_was_one_inside_a_sentence():
    texts = ("Boston was cold.", "we love Boston.", "Boston is warm. Walks are long.")
    assert names(*texts) == [[], ["Boston"], ["Boston"]]


def test_the_first_word_of_a_span_is_dropped_where_it_was_written_small_before():
    assert names("Visit Paris!") == [["Visit Paris"]]
    assert names("we visit often", "Visit Paris!") == [[], ["Paris"]]


def test_what_a_text_has_does_not_depend_on_later_texts():
    texts = ["Boston was cold. Ann came.", "we love Boston with Ann", "Ann saw Visit Oslo", "visit"]
    whole = names(*texts)
    for n in range(len(texts) + 1):
        assert names(*texts[:n]) == whole[:n]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://a.org/x?y=1, please", [("https://a.org/x?y=1", "DOCUMENT")]),
        ("write to ann.lee+x@example.co.uk now", [("ann.lee+x@example.co.uk", "OTHER")]),
        ("open src/app/main.py and ./run.sh", [("src/app/main.py", "ARTIFACT"),
                                               ("./run.sh", "ARTIFACT")]),
        (r"on C:\Users\ann\notes.txt", [(r"C:\Users\ann\notes.txt", "ARTIFACT")]),
        ("the file README.md", [("README.md", "ARTIFACT")]),
        ("he/she and/or either", []),
        ("call max_retries or fetch() in `x = 1`", [("max_retries", "ARTIFACT"),
                                                   ("fetch", "ARTIFACT"), ("x = 1", "ARTIFACT")]),
        ("use HikariCP with PostgreSQL", [("HikariCP", "TECHNOLOGY"),
                                          ("PostgreSQL", "TECHNOLOGY")]),
        ("reading \"Charlotte's Web\" and “The Hobbit.”", [("Charlotte's Web", "ARTIFACT"),
                                                          ("The Hobbit", "ARTIFACT")]),
        ("we met Dr. Dora McGee there", [("Dora McGee", "PERSON")]),
        ("at Stanford University by Silver Lake", [("Stanford University", "ORGANIZATION"),
                                                   ("Silver Lake", "LOCATION")]),
    ],
)  # fmt: skip
def test_spelling_gives_names_and_types_away(text, expected):
    assert entities(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 7 May 2023", "2023-05-07"), ("on May 7th, 2023", "2023-05-07"),
        ("on 2023-05-07", "2023-05-07"), ("the 3rd of June", "--06-03"),
        ("since Sept. 2021", "2021-09"), ("in May", "May"), ("in 1998", "1998"),
        ("last August", "August"), ("on Fridays", "Friday"), ("by Dec 24", "--12-24"),
    ],
)  # fmt: skip
def test_dates_are_named_as_iso_8601_does(text, expected):
    assert entities(text) == [[(expected, "DATE_TIME")]]


def test_words_that_only_look_like_dates_are_none():
    assert entities("may I march on? it costs $2000 or 1999/2000 of 2001%") == [[]]


def test_quantities_are_entities_where_they_are_asked_for():
    text = "it took 250 ms and cost $1,200.50 for 3 km"
    assert entities(text) == [[]]
    found = entities(text, quantities=True)[0]
    assert found == [("250 ms", "METRIC"), ("$1,200.50", "METRIC"), ("3 km", "METRIC")]


def test_a_name_that_is_mentioned_twice_stands_twice_in_the_order_of_mention():
    assert names("we saw Oslo, then Lima, then Oslo") == [["Oslo", "Lima", "Oslo"]]


def test_the_registry_knows_the_rules():
    assert ENTITY_EXTRACTORS["rules"](["we saw Oslo"], [[]]) == [[("Oslo", "TOPIC")]]


@given(st.text(max_size=80))
def test_any_text_gives_names_that_stand_in_it_or_are_dates(text):
    for entity in RuleExtractor(quantities=True)([text], [[]])[0]:
        assert entity.name.strip() == entity.name != ""
        words = re.findall(r"[^\W_]+", entity.name)
        assert entity.type == "DATE_TIME" or all(word in text for word in words)


@pytest.mark.parametrize(
    "piece",
    ["a", "A", "a.", "a/", "a-", "a_", "1", "1,", "@", "a@a.", '"A ', "A ", "/", ".", "`", "aA",
     "May ", "http://", "\\", "A. ", "of the ", "1 ", "-", "$1,", "+", "@.", "~/", "1-", "é@",
     "A\n", "A of ", "www.", "'s", "1th ", "a()", "€"],
)  # fmt: skip
def test_no_pattern_looks_at_a_long_text_more_than_a_few_times(piece):
    text = piece * (120_000 // len(piece))  # what is quadratic runs into the limit of every test
    assert len(find_patterns(text, quantities=True)[1]) == len(text)
    assert len(entities(text)) == 1
