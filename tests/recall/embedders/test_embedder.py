import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.recall import dense
from hebb_lab.recall.embedders import (
    EMBEDDERS,
    Embedder,
    HashingEmbedder,
    KeepsFiles,
    StaticTable,
    chosen_embedder,
    embedder,
    made_embedder,
)


def test_a_config_can_name_every_embedder():
    assert sorted(EMBEDDERS) == ["hashing", "minilm", "minilm_bf16", "static"]
    assert EMBEDDERS["hashing"]().name == "hashing-256"


def test_every_embedder_has_a_name_of_its_own_that_needs_no_model():
    assert len({EMBEDDERS[name]().name for name in EMBEDDERS}) == len(list(EMBEDDERS))


@pytest.mark.parametrize(("there", "chosen"), [(True, "minilm"), (False, None)])
def test_auto_is_the_model_where_it_is_installed(monkeypatch, there, chosen):
    monkeypatch.setattr(embedder, "find_spec", lambda name: object() if there else None)
    assert chosen_embedder("auto") == chosen
    assert (chosen_embedder("hashing"), chosen_embedder(None)) == ("hashing", None)


def test_an_embedder_that_makes_something_keeps_it_in_the_cache_and_others_know_no_folder(tmp_path):
    assert made_embedder("static", tmp_path) == StaticTable(tmp_path)
    assert isinstance(EMBEDDERS["static"](), KeepsFiles)
    assert made_embedder("hashing", tmp_path) == HashingEmbedder()


def test_an_unknown_embedder_lists_the_known_ones(tmp_path):
    with pytest.raises(ConfigError, match=r"unknown embedder 'statik'\. Did you mean 'static'"):
        made_embedder("statik", tmp_path)


def test_the_dense_seeder_hands_on_the_registry():
    assert dense.EMBEDDERS is EMBEDDERS
    assert dense.Embedder is Embedder
