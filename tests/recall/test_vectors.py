import logging
from dataclasses import dataclass, field

import numpy as np
import pytest

from hebb_lab.errors import InputError
from hebb_lab.recall import vectors
from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.vectors import embed


@dataclass
class Counting:
    """Counts what it is asked."""

    name: str = "counting"
    asked: list[str] = field(default_factory=list)

    def encode(self, texts):
        self.asked += texts
        return np.array([[len(text), 3.0] for text in texts], np.float32)


def test_vectors_have_length_one_and_an_empty_text_stays_zero():
    found = embed(HashingEmbedder(), ["src/graph.py", "", "walk"], None)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 0, 1])
    assert found.dtype == np.float32


def test_a_text_without_content_is_zero_even_where_the_model_gives_it_a_vector():
    assert embed(Counting(), ["a", " \n", ""], None).any(axis=1).tolist() == [True, False, False]


def test_a_name_that_is_no_valid_unicode_is_embedded_and_kept(tmp_path):
    texts = ["caf\udce9.py", "café.py"]
    first, again = (embed(HashingEmbedder(), texts, tmp_path) for _ in range(2))
    assert (first == again).all()
    assert len(list(tmp_path.glob("*/*.npz"))) == 1


def test_each_distinct_text_is_embedded_once_and_then_comes_from_the_cache(tmp_path):
    model, texts = Counting(), ["aa", "b", "aa"]
    first = embed(model, texts, tmp_path / "new" / "folder")
    assert model.asked == ["aa", "b"]
    again = Counting()
    assert (embed(again, texts, tmp_path / "new" / "folder") == first).all()
    assert again.asked == []
    assert (first[0] == first[2]).all()


def test_the_same_texts_in_another_order_get_their_own_vectors(tmp_path):
    first = embed(Counting(), ["aa", "b"], tmp_path)
    assert (embed(Counting(), ["b", "aa"], tmp_path) == first[::-1]).all()


def test_another_model_or_another_text_does_not_hit_the_cache(tmp_path):
    embed(Counting(), ["ab", "c"], tmp_path)
    for model, texts in ((Counting("other"), ["ab", "c"]), (Counting(), ["a", "bc"])):
        embed(model, texts, tmp_path)
        assert model.asked == texts
    assert len(list(tmp_path.iterdir())) == 2  # a folder for each model


def test_a_log_that_has_grown_costs_its_new_texts_alone(tmp_path):
    embed(Counting(), ["aa", "b"], tmp_path)
    model = Counting()
    grown = embed(model, ["new", "b", "aa"], tmp_path)
    assert model.asked == ["new"]
    assert (grown == embed(Counting(), ["new", "b", "aa"], None)).all()


def test_an_interrupted_embedding_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "PIECE", 2)

    class Dies(Counting):
        def encode(self, texts):
            if self.asked:
                raise KeyboardInterrupt
            return super().encode(texts)

    texts = ["a", "bb", "ccc", "dddd", "e"]
    with pytest.raises(KeyboardInterrupt):
        embed(Dies(), texts, tmp_path)
    model = Counting()
    assert (embed(model, texts, tmp_path) == embed(Counting(), texts, None)).all()
    assert model.asked == ["ccc", "dddd", "e"]


def test_a_broken_cache_file_is_reported_and_made_anew(tmp_path, caplog):
    expected = embed(Counting(), ["ab"], tmp_path)
    (file,) = tmp_path.glob("*/*")
    for content in (b"", b"PK\x03\x04 torn", file.read_bytes()[:-30]):
        file.write_bytes(content)
        with caplog.at_level(logging.WARNING):
            assert (embed(Counting(), ["ab"], tmp_path) == expected).all()
        assert str(file) in caplog.text
        caplog.clear()
    assert list(tmp_path.glob("*/*")) == [file]


@pytest.mark.parametrize("wrong", [np.full((2, 2), np.nan), np.ones((3, 2)), np.ones(2)])
def test_what_is_no_vector_a_text_is_refused(wrong, tmp_path):
    class Wrong(Counting):
        def encode(self, texts):
            return wrong

    with pytest.raises(InputError, match="embedder counting"):
        embed(Wrong(), ["a", "b"], tmp_path)
    assert not list(tmp_path.iterdir())
