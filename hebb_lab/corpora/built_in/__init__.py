"""Corpora that need no file: a story whose answers are known, and diaries that are made up."""

from hebb_lab.corpora.built_in.diary import DiaryParameters, diary
from hebb_lab.corpora.built_in.presets import PRESETS
from hebb_lab.corpora.built_in.scenario import scenario

__all__ = ["PRESETS", "DiaryParameters", "diary", "scenario"]
