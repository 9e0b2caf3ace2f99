"""Each planted question leads one way, and no other."""

import numpy as np
import pytest

from hebb_lab.corpora.built_in.plants import BRIDGES, KINDS, Bed

PLANTED = [kind for kind in KINDS if kind != "sequence"]


def planted(kind, seed=0):
    bed = Bed(np.random.default_rng(seed), [[] for _ in range(6)])
    getattr(bed, f"plant_{kind}")()
    return bed, bed.drafts[0]


def project_of(bed, note):
    return next(p for p, notes in enumerate(bed.notes) if note in notes)


@pytest.mark.parametrize("kind", PLANTED)
@pytest.mark.parametrize("seed", range(5))
def test_the_notes_of_a_question_are_of_different_projects_so_they_share_no_session(kind, seed):
    bed, draft = planted(kind, seed)
    projects = [project_of(bed, note) for note in draft.needs]
    assert len(set(projects)) == len(projects) == bed.count()
    assert draft.kind == kind


@pytest.mark.parametrize("kind", ["co_ingested", "tags"])
@pytest.mark.parametrize("seed", range(5))
def test_the_gold_shares_no_thing_with_the_note_that_is_found(kind, seed):
    _, draft = planted(kind, seed)
    gold, seed_note = draft.needs[:2]
    thing = seed_note.text.partition(" the ")[2].partition(":")[0]
    assert thing in draft.text
    assert not set(thing.split()) & set(gold.text.replace(":", " ").replace(".", " ").split())


def test_two_notes_were_often_active_together():
    bed, draft = planted("co_ingested")
    gold, seed_note = draft.needs
    assert bed.together[0][:2] == (seed_note, gold)
    assert 4 <= bed.together[0].times <= 9
    assert bed.taken == {id(gold), id(seed_note)}


@pytest.mark.parametrize("seed", range(6))
def test_an_event_is_of_three_entities_and_names_none(seed):
    _, draft = planted("event", seed)
    gold, *beside = draft.needs
    assert [name for name, _ in gold.mentions] == list(draft.entities)
    assert not any(name in gold.text for name in draft.entities)
    assert [note.mentions[0][0] for note in beside] == list(draft.entities)
    assert all(name in note.text for name, note in zip(draft.entities, beside, strict=True))


def test_tags_lead_over_bridges_alone():
    _, draft = planted("tags")
    gold, seed_note, *bridges = draft.needs
    (own,), (related,) = seed_note.tags[1:], gold.tags[1:]
    assert len(bridges) == BRIDGES
    assert all(note.tags[1:] == (own, related) for note in bridges)


def test_every_thing_has_one_note_and_then_there_are_no_more():
    bed, _ = planted("words")
    things = {bed.thing() for _ in range(2499)}
    assert len(things) == 2499
    with pytest.raises(ValueError, match="can hold no more notes"):
        bed.thing()


def test_an_ordinary_note_names_at_most_three_people():
    bed, _ = planted("words")
    counts = [len(bed.ordinary().mentions) for _ in range(200)]
    assert set(counts) == {0, 1, 2, 3}
    assert counts.count(3) < 30


def test_names_are_never_given_twice():
    bed, _ = planted("words")
    names = [bed.name(2) for _ in range(300)]
    assert len(set(names)) == 300
