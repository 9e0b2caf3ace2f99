"""Entities and tags of texts without a language model; and a hook for those who bring one.

``annotated`` gives memories entities and tags; ``cues_of`` finds in queries what memories know.
What is said of a text depends on it and on texts that were written before it, never on later ones.
"""

from hebb_lab.recall.cognitive.extract.annotate import annotated
from hebb_lab.recall.cognitive.extract.cues import cues_of
from hebb_lab.recall.cognitive.extract.extractor import (
    ENTITY_EXTRACTORS,
    TAGGERS,
    Entity,
    EntityExtractor,
    Tagger,
)
from hebb_lab.recall.cognitive.extract.keyphrases import Keyphrases, TfIdf
from hebb_lab.recall.cognitive.extract.names import NameFinder
from hebb_lab.recall.cognitive.extract.provider import (
    EntityProvider,
    TagProvider,
    register_entity_provider,
    register_tag_provider,
)
from hebb_lab.recall.cognitive.extract.rules import RuleExtractor

__all__ = [
    "ENTITY_EXTRACTORS",
    "TAGGERS",
    "Entity",
    "EntityExtractor",
    "EntityProvider",
    "Keyphrases",
    "NameFinder",
    "RuleExtractor",
    "TagProvider",
    "Tagger",
    "TfIdf",
    "annotated",
    "cues_of",
    "register_entity_provider",
    "register_tag_provider",
]
