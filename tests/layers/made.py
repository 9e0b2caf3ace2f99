"""A small world, and a pipeline that is simple enough to be checked by hand."""

from __future__ import annotations

import numpy as np

from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings
from hebb_lab.graph.cognitive.layer import Cues
from hebb_lab.layers.arms import arms_of, stack_of
from hebb_lab.layers.protocol.bench import Bench
from hebb_lab.layers.protocol.scopes import Scope, exam_of
from hebb_lab.layers.protocol.work import LayersWork
from hebb_lab.recall.cognitive.plan import Answers, Asked, LayerUse
from hebb_lab.records import Lists, Memories
from hebb_lab.runs import RunWriter, read_run
from tests.corpora.made import corpus
from tests.experiment.tiny import composed

DEPTH = 4


class ByNeighbour:
    """Direct search finds the memory of the question's number; layers add its neighbours.

    ``chain`` adds the next memory at 0.8 × merge_chain, ``hebbian`` the one before at 0.5; the
    others are empty. The seeder ``dense`` has no extra.
    """

    def __init__(self, memories, fails=()):
        self.memories, self.fails, self.calls = memories, fails, []

    def answer(self, asked, plans, depth):
        self.calls.append(list(plans))
        return [self._one(asked, plan, depth) for plan in plans]

    def _one(self, asked, plan, depth):
        if plan.seeder in self.fails:
            raise self.fails[plan.seeder]
        n, steps = len(asked), {"chain": (1, 0.8 * plan.rules.merge_chain), "hebbian": (-1, 0.5)}
        memory, score = np.full((n, depth), -1, np.int32), np.full((n, depth), -np.inf, np.float32)
        found = {layer: np.zeros(n, np.int32) for layer in plan.layers}
        for q, text in enumerate(asked.texts):
            own = {int(text): 1.0}
            for layer in plan.layers:
                step, energy = steps.get(layer, (0, 0.0))
                near = int(text) + step
                if energy and 0 <= near < asked.known[q]:
                    own[near] = energy
                    found[layer][q] = 1
            order = sorted(own, key=lambda m: (own[m], self.memories.names[m]), reverse=True)[
                :depth
            ]
            memory[q, : len(order)] = order
            score[q, : len(order)] = [own[m] for m in order]
        uses = tuple(
            LayerUse(layer, found[layer], found[layer], 0.01, 100, 7,
                     "" if layer in steps else "empty", 0.25)
            for layer in plan.layers
        )  # fmt: skip
        return Answers(memory, score, np.full(n, bool(plan.layers)), uses)


def memories(names, session_of=None):
    """Memories of which no more than the name is known, a day apart."""
    n = len(names)
    sessions = np.zeros(n, np.int32) if session_of is None else np.asarray(session_of, np.int32)
    times = np.arange(n, dtype=np.int64) * 86_400_000_000
    return Memories.plain(tuple(names), tuple(names), times, sessions, ("s",))


def asked(texts, known):
    """Questions after ``known`` memories."""
    n = len(texts)
    nothing = Lists.of([[]] * n)
    return Asked(
        tuple(texts), np.full(n, known, np.int64), np.zeros(n, np.int64), Cues(nothing, nothing)
    )


def scope(name, count, texts, rows, first_node=0):
    """A scope of ``count`` memories with consecutive node ids."""
    held = memories([f"{name}{i}" for i in range(count)])
    node = np.arange(first_node, first_node + count, dtype=np.int32)
    return Scope(name, held, node, asked(texts, count), np.array(rows, np.int64))


def write_corpus(folder, count=24, clusters=4):
    """Questions named by a number; gold is that memory and the next; kinds ``odd`` and ``even``."""
    folder.mkdir(exist_ok=True)
    documents = [
        {"_id": f"m{i:02d}", "text": f"memory {i}", "session": f"s{i // 6}",
         "time": 1_750_000_000 + i}
        for i in range(count)
    ]  # fmt: skip
    questions = [
        {"_id": f"q{i:02d}", "text": str(i), "sessionId": f"g{i % clusters}",
         "expectedSubsystem": "odd" if i % 2 else "even"}
        for i in range(count - 1)
    ]  # fmt: skip
    qrels = "query-id\tcorpus-id\tscore\n" + "".join(
        f"q{i:02d}\tm{i:02d}\t2\nq{i:02d}\tm{i + 1:02d}\t1\n" for i in range(count - 1)
    )
    return corpus(folder, documents, questions, qrels)


def work_on(folder, *overrides, fails=(), cognitive=None):
    """The work of a run on ``write_corpus``, answered by ``ByNeighbour``."""
    values = composed(
        "+exp=layers", "dataset=corpus", f"dataset.path={folder}", "debug=tiny",
        "cognitive.rules.gate=none", *overrides,
    )  # fmt: skip
    values["cognitive"] |= cognitive or {}
    settings = Settings.from_mapping(values)
    prepared = prepare(load(settings.dataset, None), settings.dataset, learners="layers")
    tasks = prepared.tasks(settings.dataset.tasks, settings.evaluation.protocol)
    exam = exam_of(prepared.dataset, tasks)
    held, n = prepared.dataset.memories, len(exam)
    texts = [prepared.dataset.questions.texts[i] for i in exam.place]
    one = Scope("all", held, np.arange(len(held), dtype=np.int32), asked(texts, len(held)),
                np.arange(n))  # fmt: skip
    bench = Bench(exam, [one], lambda s: ByNeighbour(s.memories, dict(fails)), 50)
    arms = arms_of(settings.cognitive, None)
    return LayersWork(prepared, settings, tasks, bench, arms, stack_of(settings.cognitive, None))


def finished(folder, work):
    """Run the arms into a folder, and read it as a stored run."""
    told = []
    with RunWriter(folder, composed("+exp=layers", "dataset=corpus"), work.columns) as writer:
        work.run(writer, lambda *what: told.append(what))
        result = {"experiment": "layers", "kind": "layers", "run_id": folder.name, "seed": 0,
                  "dataset": {"name": "corpus:made", "sha256": "0"}, "commit": None}  # fmt: skip
        work.assemble(writer, result, {})
        place = writer.publish()
    return read_run(place), told
