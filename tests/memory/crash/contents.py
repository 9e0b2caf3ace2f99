"""What a store holds, as values that compare bit by bit; and what stands in its raw files."""

import hashlib

from hebb_lab.memory.changes import SCALARS
from hebb_lab.memory.consistent import OWN_FACTS
from hebb_lab.memory.values import Kind

_KIND = list(SCALARS).index("kind")


def contents_of(journal):
    """Memories, edges, tombstones and facts of a journal, all that ``load`` gives."""
    memories, edges, facts = {}, [], {}
    for change in journal.load():
        if change.added is not None:
            memories.update(_memories(change.added))
        if change.edges is not None:
            edges += _edges(change.edges)
        facts.update(change.facts)
    stones = journal.tombstones()
    buried = dict(
        zip(stones.ids.to_bytes(), zip(stones.time_us.tolist(), *stones[2:], strict=True),
            strict=True)
    )  # fmt: skip
    own = {name: journal.facts[name] for name in OWN_FACTS}
    kept = {name: value for name, value in facts.items() if value is not None}
    return {"memories": memories, "edges": edges, "tombstones": buried, "facts": kept | own}


def _memories(added):
    texts = added.texts
    columns = zip(*(added.scalars[name].tolist() for name in SCALARS), strict=True)
    vectors = [vector.tobytes() for vector in texts.vectors]
    rows = zip(texts.contents, texts.contexts, texts.entities, vectors, columns, strict=True)
    return dict(zip(added.ids.to_bytes(), rows, strict=True))


def _edges(edges):
    return list(
        zip(edges.source.to_bytes(), edges.target.to_bytes(), edges.kind.tolist(),
            edges.confidence.tolist(), edges.time_us.tolist(), strict=True)
    )  # fmt: skip


def difference(found, wanted):
    """Where two contents differ, as a sentence; None where they are equal."""
    for part in ("memories", "edges", "tombstones", "facts"):
        if found[part] == wanted[part]:
            continue
        if part == "edges":
            return f"{len(found[part])} edges, not the {len(wanted[part])} wanted"
        missing = [key for key in wanted[part] if key not in found[part]]
        more = [key for key in found[part] if key not in wanted[part]]
        other = [key for key in found[part] if found[part][key] != wanted[part].get(key)]
        return f"{part}: {missing[:2]} are missing, {more[:2]} too many, {other[:2]} are others"
    return None


def texts_of(memory):
    """What can be sought of a memory in raw bytes: its words, its entity, its vector.

    Words are those of ten letters or more with a digit in them, as the tests make them up.
    """
    content, context, entity, vector = memory[:4]
    words = [
        word.encode()
        for word in {*content.split(), *context.split('"')}
        if len(word) > 9 and word[0].isalpha() and any(map(str.isdigit, word))
    ]
    named = [entity.encode()] if entity else []
    seen = [vector[place : place + 12] for place in range(0, len(vector) - 12, 12) if any(vector)]
    return {*words, *named, *seen}


def upheld_by(memory):
    """What must stand in the files for a memory's sake: of an insight, not the words of its text,
    which it took from others."""
    content, *rest = memory
    return texts_of(("" if rest[-1][_KIND] == Kind.INSIGHT else content, *rest))


def left_in(folder, needles):
    """Which byte strings stand in any file of a folder, as (file, string)."""
    found = []
    for file in sorted(folder.iterdir()):
        if file.is_file():
            raw = file.read_bytes()
            found += [(file.name, needle) for needle in needles if needle in raw]
    return found


def digest_of(salt, content):
    """What a tombstone keeps of a content."""
    return hashlib.sha256(salt + content.encode()).digest()
