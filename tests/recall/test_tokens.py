import numpy as np

from hebb_lab.recall.tokens import tokens_of


def test_a_name_costs_a_quarter_of_its_bytes_and_newline_rounded_up():
    assert tokens_of(["abc", "abcd", "", "日本"], {}).tolist() == [1, 2, 1, 2]
    assert tokens_of([], {}).dtype == np.int32


def test_a_text_costs_only_when_texts_are_injected_too():
    texts = {"abc": "x" * 11, "other": "y" * 99, "empty": ""}
    nodes = ["abc", "none", "empty"]
    assert tokens_of(nodes, texts).tolist() == [1, 2, 2]
    assert tokens_of(nodes, texts, with_texts=True).tolist() == [4, 2, 2]
