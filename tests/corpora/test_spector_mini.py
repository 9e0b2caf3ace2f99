"""A published miniature benchmark, read as it is, and BM25 on it held against other code."""

import csv
import json

import bm25s
import numpy as np
import pytest
import pytrec_eval

from hebb_lab.corpora import read_corpus
from hebb_lab.evaluation import judge, parse
from hebb_lab.evaluation.query_set import TaskSettings
from hebb_lab.evaluation.trec import qrels_lines
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import DatasetSettings, WindowSettings
from hebb_lab.recall.bm25 import Bm25
from hebb_lab.recall.words import words_of


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data / "spector_mini"


@pytest.fixture(scope="module")
def prepared(folder):
    return prepare(read_corpus(folder), DatasetSettings(windows=WindowSettings(by="session")))


@pytest.fixture(scope="module")
def task(prepared):
    return prepared.task("question_to_evidence", TaskSettings())


def objects(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_document_question_and_judgement_is_read(folder, prepared, task):
    report = prepared.dataset.log.report
    assert (report.events, report.sessions, report.questions, report.judgements) == (
        50,
        31,
        20,
        104,
    )
    assert not report.skipped
    assert dict(report.mended) == {
        "importance outside 0.05 to 10: set to the nearest": 2,
        "arousal outside 0 to 255: set to the nearest": 2,
        "recallCount outside 0 to 2,147,483,647: set to the nearest": 1,
    }
    assert (len(task.queries), dict(task.excluded)) == (20, {})
    times = {o["id"]: o["timestampMs"] * 1000 for o in objects(folder / "corpus.jsonl")}
    events = prepared.dataset.log.events
    assert dict(zip(events["node"], events["time_us"], strict=True)) == times


def test_bm25_finds_what_another_bm25_and_another_evaluation_find(folder, prepared, task):
    documents, questions = objects(folder / "corpus.jsonl"), objects(folder / "queries.jsonl")
    with (folder / "qrels.tsv").open() as file:
        qrels = {}
        for row in csv.DictReader(file, delimiter="\t"):
            grade = int(row["relevance_grade"])
            qrels.setdefault(row["query_id"], {})[row["corpus_id"]] = grade
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(
        [words_of(f"{d['id']} {d['title']} {d['text']}") for d in documents], show_progress=False
    )
    run = {}
    for question in questions:
        scores = index.get_scores(words_of(question["text"]))
        found = {d["id"]: float(s) for d, s in zip(documents, scores, strict=True) if s > 0}
        best = sorted(found, key=lambda name: (found[name], name), reverse=True)[:10]
        run[question["id"]] = {name: found[name] for name in best}
    wanted = {"recall_10": "R@10", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR@10"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(wanted)).evaluate(run)

    host = Bm25(prepared.touches.nodes, prepared.dataset.texts, prepared.born_us)
    judged = judge(host.rank(task.queries, 10), task.qrels, prepared.tokens)
    for name, measure in wanted.items():
        ours = dict(zip(task.queries.query_ids, parse(measure)(judged), strict=True))
        assert ours == pytest.approx({q: values[name] for q, values in theirs.items()}, abs=1e-6)
    assert float(np.mean(parse("R@10")(judged))) == pytest.approx(0.2975)


def test_the_gold_goes_out_as_it_came_in(folder, prepared, task):
    lines = list(qrels_lines(task.qrels, task.queries.query_ids, prepared.touches.nodes))
    with (folder / "qrels.tsv").open() as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    assert sorted(lines) == sorted(f"{q} 0 {d} {g}\n" for q, d, g in rows if int(g) > 0)


def test_every_memory_stands_in_the_order_of_writing_with_all_that_is_known_of_it(folder, prepared):
    memories = prepared.dataset.memories
    documents = {d["id"]: d for d in objects(folder / "corpus.jsonl")}
    assert sorted(memories.names) == sorted(documents)
    assert (np.diff(memories.time_us) > 0).all()
    for i, name in enumerate(memories.names):
        own = documents[name]
        assert memories.time_us[i] == own["timestampMs"] * 1000
        assert memories.sessions[memories.session[i]] == own["sessionId"]
        assert memories.importance[i] == np.float32(min(max(own["importance"], 0.05), 10))
        assert memories.valence[i] == own["valence"]
        assert memories.arousal[i] == min(max(own["arousal"], 0), 255)
        assert memories.recalls[i] == max(own["recallCount"], 0)
        assert [memories.tag_names[t] for t in memories.tags.row(i)] == own["synapticTags"]
        said = [memories.entity_names[e] for e in memories.mentions.row(i)]
        assert said == [m["name"] for m in own["entityMentions"]]


def test_every_edge_chain_and_relation_is_there(folder, prepared):
    memories = prepared.dataset.memories
    name = memories.names
    edges = {(name[a], name[b], t) for a, b, t in zip(*memories.hints, strict=True)}
    assert edges == {
        (e["memoryIdA"], e["memoryIdB"], e["coActivationCount"])
        for e in objects(folder / "hebbian_edges.jsonl")
    }
    chains = [[name[m] for m in memories.chains.row(i)] for i in range(7)]
    assert chains == [c["orderedMemoryIds"] for c in objects(folder / "temporal_chains.jsonl")]
    entity, kinds = memories.entity_names, memories.relation_kinds
    said = {
        (entity[s], kinds[k], entity[t], name[m])
        for s, t, k, m in zip(*memories.relations, strict=True)
    }
    assert said == {
        (r["fromEntity"]["name"], r["relationType"], r["toEntity"]["name"], m)
        for r in objects(folder / "entities.jsonl")
        for m in r["sourceMemoryIds"]
    }
    assert (np.diff(memories.relations.memory) >= 0).all()


def test_every_question_says_its_kind_and_its_profile(folder, prepared):
    asked = prepared.dataset.questions
    rows = objects(folder / "queries.jsonl")
    assert asked.category == tuple(row["expectedSubsystem"] for row in rows)
    assert [cues.profile for cues in asked.cues] == [row["cognitiveProfile"] for row in rows]
    assert asked.cues[0].valence == (-np.inf, -10)
    assert asked.cues[0].filter_tags == ("debugging", "concurrency")
    assert (asked.cues[0].temporal_hint, asked.cues[1].temporal_hint) == ("RECENT", "")
