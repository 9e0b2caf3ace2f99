from hebb_lab.recall.embedders import HashingEmbedder
from hebb_lab.recall.vectors import embed


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
