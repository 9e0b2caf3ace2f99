"""Each data card says what its data set is, and the data set here is the one on the card."""

import re

import pytest

from tests.data_cards import CARDS, KEYS, card_of, counts_of, sha256_of

ALL = sorted(CARDS.glob("*.yaml"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_card_is_whole(path):
    card = card_of(path)
    assert set(card) == KEYS
    assert card["name"] == path.stem
    assert all(card.values())
    assert re.fullmatch(r"[0-9a-f]{64}", card["sha256"])


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_data_is_the_one_on_its_card(path, shared_data):
    card = card_of(path)
    data = shared_data / card["path"]
    if not data.exists():
        pytest.skip(f"the data set is not here: {data}")
    counts = dict(card["counts"])
    kind = counts.pop("kind")
    assert sha256_of(data) == card["sha256"]
    assert counts_of(data, kind) == counts


def test_a_folder_is_known_by_what_its_files_hold_and_are_called(tmp_path):
    (tmp_path / "a").write_text("1")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b").write_text("2")
    first = sha256_of(tmp_path)
    (tmp_path / "a").write_text("3")
    second = sha256_of(tmp_path)
    (tmp_path / "a").write_text("1")
    assert sha256_of(tmp_path) == first != second
    (tmp_path / "a").rename(tmp_path / "c")
    assert sha256_of(tmp_path) not in (first, second)


def test_every_card_is_in_the_list_of_cards():
    listed = (CARDS.parent / "README.md").read_text(encoding="utf-8")
    assert [path.stem for path in ALL if f"`{path.stem}`" not in listed] == []
