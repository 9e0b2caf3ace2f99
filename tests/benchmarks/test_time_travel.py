"""Spreading through the graph as it was at each query's time."""

import numpy as np
import pytest

from hebb_lab.experiment.load import load
from hebb_lab.experiment.prepare import prepare
from hebb_lab.experiment.settings import Settings
from hebb_lab.graph.rules import SynapseRules
from hebb_lab.graph.synapse import SynapseLayer
from hebb_lab.kernels.arrays import graph_arrays, query_arrays
from hebb_lab.kernels.choose import backend_named
from hebb_lab.kernels.parameters import rule_arrays
from tests.benchmarks.asked import queries_of, spans_of
from tests.benchmarks.contest import Contest
from tests.benchmarks.peers import ScipySpread
from tests.benchmarks.values import Value, note
from tests.experiment.tiny import composed

pytestmark = pytest.mark.bench

K, CONFIGS, ROUNDS = 12, 32, 5
SINGLE_DAYS = 30.0
PLAIN = SynapseRules(
    half_life="fixed", half_life_personal_days=7, potentiation=False, prune_below=0.0,
    hub_degree=None,
)  # fmt: skip
HISTORIES = {
    "entire_cli": ("claude_code", "first_touch", "274 Claude Code sessions (entire_cli)"),
    "pyg": ("git", "co_change", "7,552 commits (pyg)"),
}


@pytest.fixture(scope="module", params=sorted(HISTORIES))
def history(request, shared_data):
    """(what it is, its graph, the base's gate, all queries of its first task)."""
    kind, task, what = HISTORIES[request.param]
    logs = shared_data / "telemetry"
    paths = {
        "claude_code": [
            f"dataset.path={logs / 'claude_code' / 'entire_cli'}",
            f"dataset.tracked_paths={logs / 'tracked_paths' / 'entire_cli.txt.gz'}",
        ],
        "git": [f"dataset.path={logs / 'git' / 'pyg.tsv'}"],
    }[kind]
    settings = Settings.from_mapping(composed("+exp=ablation", f"dataset={kind}", *paths))
    made = prepare(load(settings.dataset, None), settings.dataset)
    queries = made.task(task, settings.evaluation.protocol).queries
    return what, made.graph, settings.dataset.windows.teach_max, task, queries


def rules_of(days, hops, gate):
    return [
        SynapseRules(
            half_life="fixed", half_life_personal_days=float(d), hops=hops, window_max=gate
        )
        for d in days
    ]


def walker(backend, graph, rules, queries):
    """A call that spreads all queries under all rules, after one replay."""
    traces, reads = rule_arrays(rules, ("personal",))
    placed = backend.place(graph)
    state, asked = backend.replay(placed, traces), query_arrays(queries)
    walk = backend.walk(placed, state, traces, reads)
    return lambda: walk.spread(asked, K)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("hops", [1, 2])
def test_many_configurations_in_one_walk(benchmark, history, hops, precision):
    what, graph, gate, task, queries = history
    assert graph.namespaces == ("personal",)
    backend, arrays = backend_named("cpu", precision), graph_arrays(graph)
    days = np.append(np.geomspace(1, 120, CONFIGS - 1), SINGLE_DAYS)
    many = walker(backend, arrays, rules_of(days, hops, gate), queries)
    one = walker(backend, arrays, rules_of([SINGLE_DAYS], hops, gate), queries)
    contest = Contest(benchmark, many, {"one": one}, ROUNDS if hops == 1 else 3).run()
    found, single = contest.answers["ours"], contest.answers["one"]
    np.testing.assert_array_equal(found.ids[-1], single.ids[0])
    np.testing.assert_array_equal(found.scores[-1], single.scores[0])
    visits = int(found.edges.sum())
    pairs = zip(contest.seconds["ours"], contest.seconds["one"], strict=True)
    note(
        benchmark,
        f"time-travel spread, {hops} hop{'s' * (hops > 1)}, {precision}: {what}, every query of "
        f"{task} ({len(queries):,}), top {K}, {CONFIGS} half-lives "
        f"({graph.node_count:,} nodes, {graph.edge_count:,} edges, {graph.event_count:,} events)",
        f"Walk.spread (cpu) with {CONFIGS} configurations in one call against the same call "
        f"with one ({SINGLE_DAYS:g} d), each on its own replay and made ready beforehand; the same "
        f"answer for it, bit for bit; documented rules with fixed half-lives; {visits:,} edge "
        "visits in all",
        Value(f"{CONFIGS} configurations cost as much as this many single ones", "single calls",
              tuple(o / p for o, p in pairs), at_most=3.2),
        contest.wall(label=f"{CONFIGS} configurations"),
        contest.wall("one", "one configuration"),
        contest.each(visits, "per edge visit and configuration"),
        contest.each(int(single.edges.sum()), "one configuration, per edge visit", name="one"),
    )  # fmt: skip


@pytest.mark.parametrize("hops", [1, 2])
@pytest.mark.usefixtures("one_thread")
def test_spreading_against_sparse_products_at_each_time(benchmark, simulated, hops):
    rules = PLAIN.change(hops=hops)
    layer = SynapseLayer.learn(simulated, [rules], backend_named("cpu"))
    queries = queries_of(simulated, 500, spans_of(simulated, 500))
    peer = ScipySpread(graph_arrays(simulated), layer._state.weight[:, 0], rules)
    products = []

    def scipy():
        best = peer.spread(queries, K)
        products.append(peer.product_seconds)
        return best

    def ours():
        return layer.spread(0, queries, K)

    contest = Contest(benchmark, ours, {"SciPy": scipy}, ROUNDS, warm=False).run()
    (got, _), want = contest.answers["ours"], contest.answers["SciPy"]
    scores = np.where(np.isfinite(got.scores), got.scores, 0.0)
    np.testing.assert_allclose(scores, want, rtol=1e-5, atol=1e-12)
    alone = zip(products, contest.seconds["ours"], strict=True)
    note(
        benchmark,
        f"time-travel spread, {hops} hop{'s' * (hops > 1)}: {len(queries)} queries, each at its "
        f"own time ({simulated.node_count:,} nodes, {simulated.edge_count:,} edges)",
        "back end cpu against SciPy: weights as of the query's time filled into one CSR structure, "
        f"matrix × vector, best {K}; scores equal to 1e-5; one thread each",
        contest.against("SciPy"),
        Value("against its products alone", "×", tuple(p / o for p, o in alone)),
        contest.wall(),
        contest.wall("SciPy"),
    )


def test_one_query_at_a_time(benchmark, simulated):
    """What a caller pays who does not ask in batch."""
    layer = SynapseLayer.learn(simulated, [SynapseRules()], backend_named("cpu"))
    queries = query_arrays(queries_of(simulated, 200, spans_of(simulated, 200)))
    walk = layer.backend.walk(layer._arrays, layer._state, layer._traces, layer._reads)
    parts = [queries.part(q, q + 1) for q in range(200)]

    def each():
        return [walk.spread(part, K) for part in parts]

    def together():
        return walk.spread(queries, K)

    contest = Contest(benchmark, together, {"each": each}, ROUNDS).run()
    np.testing.assert_array_equal(
        contest.answers["ours"].ids[0],
        np.concatenate([found.ids[0] for found in contest.answers["each"]]),
    )
    note(
        benchmark,
        f"time-travel spread of 200 queries, one call for all or one call each "
        f"({simulated.node_count:,} nodes, {simulated.edge_count:,} edges)",
        "back end cpu, documented rules, 2 hops, one configuration, the walk made ready beforehand",
        contest.each(200, "in one call, per query", "ms", 1e3),
        contest.each(200, "one call each, per query", "ms", 1e3, "each"),
    )
