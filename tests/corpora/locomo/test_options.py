"""How LoCoMo is read is checked before anything is read."""

import pytest

from hebb_lab.corpora.locomo import CATEGORIES, LocomoOptions
from hebb_lab.errors import ConfigError


def test_the_categories_have_the_papers_names():
    assert CATEGORIES == {
        1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": "chunk"}, r"dataset\.unit=chunk is not a choice\. Use turn or session"),
        ({"index": "all"}, r"dataset\.index=all is not a choice\. Use conversation or pooled"),
        ({"categories": (1, 6)}, r"categories=\[6\].*5 adversarial"),
        ({"categories": ()}, r"names no category"),
    ],
)
def test_what_is_no_choice_is_refused_with_the_choices(change, said):
    with pytest.raises(ConfigError, match=said):
        LocomoOptions(**change)
