"""LoCoMo: long conversations of two people, with questions and the turns that answer them."""

from hebb_lab.corpora.locomo.dataset import read_locomo
from hebb_lab.corpora.locomo.options import CATEGORIES, LocomoOptions

__all__ = ["CATEGORIES", "LocomoOptions", "read_locomo"]
