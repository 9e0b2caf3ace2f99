"""Corpora with questions and graded qrels, read into a Dataset."""

from hebb_lab.corpora.dataset import read_corpus
from hebb_lab.corpora.report import CorpusReport

__all__ = ["CorpusReport", "read_corpus"]
